import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Locale } from '../records/locale.ts';

/** Raised whenever parts of an earlier build could not be read or would answer differently. */
export const SNAPSHOT_FORMAT = 3;

/** Names content: 128 bits of the SHA-256 of `texts`, which are kept apart. */
export function digest(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\n');
  return hash.digest('base64url').slice(0, 22);
}

/** JSON that is finished: text while it is being built, bytes where it is served. */
export type Json = string | Buffer;

/** A dish as filters see it, and where its JSON lies in that of its section, in bytes. */
export interface DishPart {
  id: number;
  typeId: number | null;
  recommended: boolean;
  /** Folded name and description, for search. */
  text: string;
  start: number;
  end: number;
}

/** Everything of a visible section in one locale that its own records decide. */
export interface SectionPart<J extends Json = Json> {
  id: number;
  /** Digest of the JSON. */
  tag: string;
  /** Length of the JSON in bytes. */
  length: number;
  /** The section with its dishes and types, without the brace that ends it. */
  json: J;
  dishes: readonly DishPart[];
}

/** A section and the sections below it, in display order. */
export type Branch = [id: number, children: Branch[]];

/** What stands around the sections of a snapshot, and in which order they stand. */
export interface SnapshotHead {
  version: number;
  locale: Locale;
  /** ISO 8601 with offset: the time at which the snapshot was built. */
  generatedAt: string;
  /** Finished JSON. */
  settings: string;
  theme: string;
  /** The sections in the order of `/menu` and `/items`. */
  order: number[];
  /** The sections as `/categories` nests them; null in all but the default locale. */
  tree: Branch[] | null;
}

/** Parts are written by our own build of the same format: what JSON gives is what was put in. */
export const headSchema = v.pipe(
  v.string(),
  v.transform((text) => JSON.parse(text) as SnapshotHead),
);

/**
 * JSON has no raw control characters: they keep texts apart that travel together, and none of them
 * has to be escaped. This one is made for it (RFC 7464).
 */
export const TEXT_SEPARATOR = '\x1e';
const JSON_SEPARATOR = '\n';

export function encodePart({ json, ...fields }: SectionPart<string>): string {
  return JSON.stringify(fields) + JSON_SEPARATOR + json;
}

export function decodeParts(text: string): SectionPart<string>[] {
  if (text === '') return [];
  return text.split(TEXT_SEPARATOR).map((encoded) => {
    const end = encoded.indexOf(JSON_SEPARATOR);
    return { ...JSON.parse(encoded.slice(0, end)), json: encoded.slice(end + 1) };
  });
}
