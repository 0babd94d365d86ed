import { brotliDecompressSync } from 'node:zlib';
import { compress } from '../runtime/compress.ts';
import { hasUnknownOrigin } from '../schema/media-origin.ts';
import type { ColdMenu } from '../sql/snapshots.ts';
import { openAnswers } from './assemble.ts';
import type { Range } from './json-writer.ts';
import { SectionDishes, type SectionPart, type Snapshot, type SnapshotHead } from './parts.ts';

/** A section as far as the bytes of the menu do not tell of it. */
interface ColdSection extends Pick<SectionPart, 'id' | 'tag' | 'textLength'> {
  /** Where its JSON lies in that of the menu, in bytes. */
  range: Range;
  /** Its `DishKey`s, as JSON, and where the dishes begin. */
  keys: string;
  edges: readonly number[];
}

/**
 * The menu's answer, compressed, with what `openColdMenu` needs beside it. Null where only a gateway can
 * make the answer: it names photos, whose addresses begin with an origin that gateways know.
 */
export async function coldMenuOf(snapshot: Snapshot): Promise<ColdMenu | null> {
  const menu = snapshot.body('menu');
  if (hasUnknownOrigin(menu.identity)) return null;
  const { buffer, byteOffset } = menu.identity;
  const sections = snapshot.sections.map((part): ColdSection => {
    const { id, tag, textLength, json, dishes } = part;
    if (json.buffer !== buffer) throw new Error(`section ${id} is no view of its menu`);
    const start = json.byteOffset - byteOffset;
    return { id, tag, textLength, range: [start, start + json.length], ...dishes.stored() };
  });
  const br = await compress(menu.identity, 'br');
  const about = await compress(Buffer.from(JSON.stringify(sections)), 'br');
  return { etag: menu.etag, br, about };
}

/** The snapshot that became cold: equal to it in every answer. */
export function openColdMenu(head: SnapshotHead, { etag, br, about }: ColdMenu): Snapshot {
  const identity = brotliDecompressSync(br);
  const sections: ColdSection[] = JSON.parse(String(brotliDecompressSync(about)));
  const parts = sections.map(({ range, keys, edges, ...part }): SectionPart => {
    const dishes = new SectionDishes(keys, edges);
    return { ...part, json: identity.subarray(...range), dishes };
  });
  return openAnswers(head, parts, { etag, identity });
}
