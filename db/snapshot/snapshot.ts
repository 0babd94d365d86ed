import type { SectionPart, SnapshotHead } from './parts.ts';

export type BodyName = 'menu' | 'restaurant' | 'theme' | 'categories';

/** One finished answer, not compressed. */
export interface Body {
  /** Strong, quotes included. */
  etag: string;
  identity: Buffer;
}

/** Everything that is needed to answer for one tenant in one locale. */
export interface Snapshot {
  head: SnapshotHead;
  bodies: Partial<Record<BodyName, Body>>;
  /** Visible sections in the order of `/items`; their JSON is a view of the menu's body. */
  sections: readonly SectionPart[];
  /** Sections with those below them as finished JSON; only in the default locale. */
  branches: ReadonlyMap<number, Buffer>;
}
