import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Locale } from '../records/locale.ts';

/** Raised whenever parts of an earlier build could not be read or would answer differently. */
export const SNAPSHOT_FORMAT = 2;

/** Names content: 128 bits of the SHA-256 of `texts`, which are kept apart. */
export function digest(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\n');
  return hash.digest('base64url').slice(0, 22);
}

/** JSON that is finished: text while it is being built, bytes where it is served. */
export type Json = string | Buffer;

/** A dish as filters see it, with its finished JSON. */
export interface DishPart<J extends Json = Json> {
  id: number;
  typeId: number | null;
  recommended: boolean;
  /** Folded name and description, for search. */
  text: string;
  json: J;
}

/** Everything of a visible section in one locale that its own records decide. */
export interface SectionPart<J extends Json = Json> {
  id: number;
  /** Digest of all the JSON of the part. */
  tag: string;
  /** The section's own fields as JSON, without the brace that ends it. */
  head: J;
  /** Its types, as a JSON array. */
  types: J;
  dishes: readonly DishPart<J>[];
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

/** JSON has no raw line breaks: they keep parts apart that travel together. */
export const PART_SEPARATOR = '\n';

export function encodePart(part: SectionPart<string>): string {
  return JSON.stringify(part);
}

export function decodeParts(text: string): SectionPart<string>[] {
  return text === ''
    ? []
    : text.split(PART_SEPARATOR).map((line) => JSON.parse(line) as SectionPart<string>);
}
