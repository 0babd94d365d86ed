import type { Locale } from '../records/locale.ts';
import type { SectionPart, SnapshotHead } from './parts.ts';

export type BodyName = 'menu' | 'restaurant' | 'theme' | 'categories';

/** One finished answer: a strong ETag and the bytes in each encoding that was prepared. */
export interface Body {
  /** ETag of the identity bytes, quotes included; the encoded forms add their suffix. */
  etag: string;
  identity: Buffer;
  gzip?: Buffer;
  br?: Buffer;
}

/** A dish as filters see it, with its finished JSON. */
export interface DishFragment {
  id: number;
  categoryId: number;
  typeId: number | null;
  recommended: boolean;
  /** Folded name and description, for search. */
  text: string;
  json: Buffer;
}

/** Everything that a gateway needs to answer for one tenant in one locale. */
export interface Snapshot {
  version: number;
  locale: Locale;
  generatedAt: string;
  head: SnapshotHead;
  /** Whether the compressed answers of this version are there. */
  encoded: boolean;
  bodies: Partial<Record<BodyName, Body>>;
  /** Visible dishes in the order of `/items`. */
  dishes: DishFragment[];
  /** Visible sections with their sub-sections as finished JSON; only in the default locale. */
  sections: Map<number, Buffer>;
  /** What the next version is assembled from: views of the menu's body. */
  parts: Map<number, SectionPart<Buffer>>;
  /** What the snapshot holds in memory, in bytes. */
  bytes: number;
}
