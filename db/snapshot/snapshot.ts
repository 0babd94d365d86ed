import type { SectionPart, SnapshotHead } from './parts.ts';

export const BODY_NAMES = ['menu', 'restaurant', 'theme', 'categories'] as const;
export type BodyName = (typeof BODY_NAMES)[number];

/** One finished answer, not compressed. */
export interface Body {
  /** Strong, quotes included. */
  etag: string;
  identity: Buffer;
}

/** Everything that is needed to answer for one tenant in one locale. */
export interface Snapshot {
  head: SnapshotHead;
  /** A finished answer; all but the menu are made when they are asked for first. */
  body(name: BodyName): Body | undefined;
  /** Visible sections in the order of `/items`; their JSON is a view of the menu's body. */
  sections: readonly SectionPart[];
  /** Sections with those below them as finished JSON; only in the default locale, made likewise. */
  branches(): ReadonlyMap<number, Buffer>;
}
