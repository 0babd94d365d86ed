import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { NoFormError, TooLargeError } from '../http/errors.ts';
import { type PartBounds, type Parts, readMultipart } from '../http/multipart.ts';
import type { RestaurantContext } from '../pipeline/route.ts';

export interface Form {
  /** The field's first value, one line without spaces around it; empty when it was not sent. */
  text(name: string): string;
  /** As it was typed. */
  secret(name: string): string;
  /** All values of a field that may be sent several times. */
  list(name: string): readonly string[];
  /** A record's entity tag; one that is none matches no record. */
  tag(name: string): string;
  /** All fields; lines of a text end as they do everywhere but in forms. */
  all(): ReadonlyMap<string, readonly string[]>;
}

/** A line of text has none of them, and Postgres refuses some. */
const CONTROLS = /\p{Cc}+/gu;

const ENTITY_TAG = /^"[!#-~]{1,100}"$/;

/**
 * Reads the form that a request brings.
 *
 * @param maxBytes its greatest length
 * @throws NoFormError, TooLargeError
 */
export async function readForm(
  { headers, body }: Pick<RestaurantContext, 'headers' | 'body'>,
  maxBytes = constants.maxFormBytes,
): Promise<Form> {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') throw new NoFormError();
  const bytes = await body;
  if (bytes.length > maxBytes) throw new TooLargeError();
  return formOf(await inSlices(readFields(bytes)));
}

/** The type of a form that brings files; null for another. */
export function filesType({ headers }: Pick<RestaurantContext, 'headers'>): string | null {
  const type = headers.get('content-type') ?? '';
  return /^multipart\/form-data\s*;/i.test(type) ? type : null;
}

/**
 * Reads a form that brings files.
 *
 * @throws NoFormError, TooLargeError, CrowdedError
 */
export async function readParts(context: RestaurantContext, bounds: PartBounds): Promise<Parts> {
  const type = filesType(context);
  if (type === null) throw new NoFormError();
  const bytes = await context.body;
  // Its parts are copies.
  context.claim(bytes.length);
  return readMultipart(type, bytes, bounds);
}

/** A form of these values. */
export function formOf(fields: ReadonlyMap<string, readonly string[]>): Form {
  const secret = (name: string) => fields.get(name)?.[0] ?? '';
  return {
    text: (name) => secret(name).replace(CONTROLS, ' ').trim(),
    secret,
    list: (name) => fields.get(name) ?? [],
    tag: (name) => (ENTITY_TAG.test(secret(name)) ? secret(name) : '""'),
    all: () =>
      new Map(
        Array.from(fields, ([name, values]) => [
          name,
          values.map((value) => value.replace(/\r\n?/g, '\n')),
        ]),
      ),
  };
}

const AMPERSAND = 38;

/** Fields that are read in one step. */
const FIELDS_PER_STEP = 100;

/** The values of a form by their names, in one pass; a form of too many is refused before that. */
function* readFields(bytes: Buffer): Generator<void, Map<string, string[]>> {
  let count = 1;
  for (const byte of bytes) if (byte === AMPERSAND) count += 1;
  if (count > constants.maxFormFields) throw new TooLargeError();
  const fields = new Map<string, string[]>();
  const sent = bytes.toString().split('&');
  for (let at = 0; at < sent.length; at += FIELDS_PER_STEP) {
    for (const [name, value] of new URLSearchParams(
      sent.slice(at, at + FIELDS_PER_STEP).join('&'),
    )) {
      const values = fields.get(name);
      if (values) values.push(value);
      else fields.set(name, [value]);
    }
    yield;
  }
  return fields;
}

/** The name of a form: its request is done once, however often the form is sent. */
export function newFormId(): string {
  return randomUUID();
}

export function isFormId(text: string): boolean {
  return v.UUID_REGEX.test(text);
}

/** The id of a form as it was sent, or a new one where it has none. */
export const formIdOf = (text: string) => (isFormId(text) ? text : newFormId());
