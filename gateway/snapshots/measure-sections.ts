import type { SnapshotHead } from '../../db/snapshot/parts.ts';
import { isTemplate, measureTemplate, type SnapshotSections } from '../../db/snapshot/template.ts';
import { measureSearchTexts } from '../search/section-search.ts';

/** Memory that objects, views and map entries take beside the bytes of the bodies. */
const BYTES_PER_DISH = 160;
const BYTES_PER_SECTION = 400;
const BYTES_PER_SNAPSHOT = 4_096;

/**
 * What the snapshot of these sections holds in memory once it is assembled and has been searched, in
 * bytes.
 */
export function measureSections(head: SnapshotHead, sections: SnapshotSections): number {
  let bodies = 0;
  let beside = BYTES_PER_SNAPSHOT;
  for (const section of sections.values()) {
    const { bytes, textLength } = isTemplate(section)
      ? measureTemplate(section, head.locale)
      : { bytes: section.json.length, textLength: section.textLength };
    const dishes = section.dishes.length;
    bodies += bytes;
    beside += BYTES_PER_SECTION + dishes * BYTES_PER_DISH + measureSearchTexts(textLength, dishes);
  }
  const about = 2 * (head.settings.length + head.theme.length);
  return beside + about + bodies * (head.tree ? 2 : 1);
}
