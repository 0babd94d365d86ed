import { createHash } from 'node:crypto';
import type { Body } from '../../db/snapshot/snapshot.ts';
import { type Answer, createAnswer, JSON_TYPE } from './answer.ts';
import { type Encoding, preferredEncoding } from './encodings.ts';

/** One form of a resource: the answer with its bytes, and the one that says "you have them". */
interface Variant {
  etag: string;
  full: Answer;
  notModified: Answer;
}

/** Something that can be read: finished answers in every encoding that was prepared. */
export interface Resource {
  identity: Variant;
  gzip: Variant | undefined;
  br: Variant | undefined;
  /** Memory that the answers hold beside the body's bytes, in bytes. */
  overhead: number;
}

/** What a client said about the copy that it has and the forms that it reads. */
export interface Conditions {
  /** If-None-Match, or the empty string. */
  ifNoneMatch: string;
  /** Accept-Encoding, or the empty string. */
  acceptEncoding: string;
}

/** What an answer says about its bytes, beside their encoding and entity tag. */
export interface Form {
  cacheControl: string;
  headers: Record<string, string>;
}

/** A display may keep an answer but asks each time whether it is still good. */
const JSON_FORM: Form = { cacheControl: 'no-cache', headers: { 'Content-Type': JSON_TYPE } };
const SUFFIXES: Record<Encoding, string> = { identity: '', gzip: '-gz', br: '-br' };
/** Objects and small buffers of one variant, measured on a heap with 10,000 of them. */
const BYTES_PER_VARIANT = 900;

function prepareVariant(
  etag: string,
  encoding: Encoding,
  bytes: Uint8Array,
  vary: boolean,
  { cacheControl, headers }: Form,
): Variant {
  const tag = `${etag.slice(0, -1)}${SUFFIXES[encoding]}"`;
  const shared = { ETag: tag, ...(vary && { Vary: 'Accept-Encoding' }) };
  const encoded = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
  return {
    etag: tag,
    full: createAnswer('200 OK', cacheControl, { ...headers, ...shared, ...encoded }, bytes),
    notModified: createAnswer('304 Not Modified', cacheControl, shared, null),
  };
}

/** Makes the answers for a body once, so that each request only picks one. */
export function prepareResource(body: Body, form: Form = JSON_FORM): Resource {
  const vary = body.gzip !== undefined || body.br !== undefined;
  const prepare = (encoding: Encoding, bytes: Buffer | undefined) =>
    bytes && prepareVariant(body.etag, encoding, bytes, vary, form);
  const variants = 1 + Number(body.gzip !== undefined) + Number(body.br !== undefined);
  return {
    identity: prepareVariant(body.etag, 'identity', body.identity, vary, form),
    gzip: prepare('gzip', body.gzip),
    br: prepare('br', body.br),
    overhead: variants * BYTES_PER_VARIANT,
  };
}

/** A strong entity tag for an answer that is a pure function of `parts`. */
export function entityTag(...parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22);
  return `"${digest}"`;
}

/** Opaque tags of an If-None-Match list, without their weakness: the comparison is the weak one. */
function listedTags(ifNoneMatch: string): Set<string> {
  return new Set(ifNoneMatch.match(/"[^"]*"/g) ?? []);
}

function heldVariant(
  resource: Resource,
  chosen: Variant,
  ifNoneMatch: string,
): Variant | undefined {
  if (ifNoneMatch.trim() === '*') return chosen;
  const tags = listedTags(ifNoneMatch);
  // A client that has the menu in another encoding has the menu: the 304 names the copy it holds.
  return [chosen, resource.identity, resource.gzip, resource.br].find(
    (variant) => variant !== undefined && tags.has(variant.etag),
  );
}

/**
 * The answer to a GET of `resource`: 304 when the client's copy is still good (RFC 9110, 13.1.2:
 * lists, `*` and weak tags), else the bytes in the best encoding that it accepts.
 */
export function selectAnswer(resource: Resource, conditions: Conditions): Answer {
  const { ifNoneMatch } = conditions;
  const encoding = resource.br ? preferredEncoding(conditions.acceptEncoding) : 'identity';
  const variant = resource[encoding] ?? resource.identity;
  if (ifNoneMatch === '') return variant.full;
  if (ifNoneMatch === variant.etag) return variant.notModified;
  return heldVariant(resource, variant, ifNoneMatch)?.notModified ?? variant.full;
}
