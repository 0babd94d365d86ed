import { soldOutPart } from '../../../db/schema/availability.ts';
import { dish } from '../../../db/schema/dish.ts';
import { sentRows } from '../../../db/schema/lists.ts';
import { modifierGroup } from '../../../db/schema/modifier-group.ts';
import type { Translations } from '../../../db/schema/values/locale.ts';
import { rowsIn } from '../../../db/schema/values/row.ts';
import { findRecord } from '../../../db/sql/admin-records.ts';
import type { Desk } from '../desk.ts';
import { type SavedMany, saveMany } from '../writes/save-many.ts';

// A size of a dish or an option of a group that is sold out, or on sale again.

/** A size or an option as it is stored. */
export interface ServedPart {
  label_translations: Translations;
  is_sold_out?: boolean | undefined;
  sold_out_until?: string | null | undefined;
}

/** One of them in a form: by its place, and by its label where the list has changed since. */
export interface PartTarget {
  of: 'items' | 'modifier_groups';
  id: number;
  at: number;
  label: string;
}

const LISTS = {
  items: { name: 'variants', parts: dish.fields.variants.parts },
  modifier_groups: { name: 'options', parts: modifierGroup.fields.options.parts },
} as const;

/** The label of a size or an option by which a form knows it again. */
export const labelKey = ({ label_translations: texts }: Pick<ServedPart, 'label_translations'>) =>
  JSON.stringify(Object.entries(texts).sort());

/** So often a list is read that somebody changes meanwhile. */
const TRIES = 3;

/**
 * Marks it as sold out, or on sale. The rest of its list stays as it is at that moment.
 *
 * @param until as the API takes it; null for on sale
 * @param key as of `sendWrite`
 */
export async function savePart(
  desk: Desk,
  { of, id, at, label }: PartTarget,
  until: string | null,
  key: readonly unknown[],
): Promise<SavedMany> {
  const { name, parts } = LISTS[of];
  let saved: SavedMany = { kind: 'failed' };
  for (let number = 0; number < TRIES; number += 1) {
    const found = await findRecord(desk.db, of, desk.tenantId, id);
    if (!found || found.deletedAt !== null) break;
    const rows = rowsIn(found.row[name]) as readonly (ServedPart & Record<string, unknown>)[];
    const isMeant = (row: ServedPart | undefined) => row !== undefined && labelKey(row) === label;
    const index = isMeant(rows[at]) ? at : rows.findIndex(isMeant);
    if (index < 0) break;
    const before = sentRows(parts, rows);
    const after = before.map((row, place) => (place === index ? soldOutPart(row, until) : row));
    const change = { resource: of, id, data: { [name]: after }, expected: { [name]: before } };
    saved = await saveMany(desk, [change], [...key, number]);
    if (saved.kind !== 'refused' || !saved.refusals.some(({ isOutdated }) => isOutdated)) break;
  }
  return saved;
}
