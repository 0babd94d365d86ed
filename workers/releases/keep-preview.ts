import * as v from 'valibot';
import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { dish, type StoredDish } from '../../db/schema/dish.ts';
import type { Field } from '../../db/schema/field.ts';
import type { Row } from '../../db/schema/record.ts';
import type { Release } from '../../db/schema/release.ts';
import { buildInSteps } from '../../db/snapshot/build.ts';
import { encodeTemplate } from '../../db/snapshot/template.ts';
import { readClock } from '../../db/sql/clock.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { savePreview } from '../../db/sql/release-previews.ts';

/** Fields of a record whose stored values are never null. */
const lists = Object.entries<Field>(dish.fields).filter(
  ([, { value }]) => !v.safeParse(value, null).success && v.safeParse(value, []).success,
);

/** A dish of a draft as tables have it: a new one lacks lists that it did not send. */
function asStored(row: StoredDish): StoredDish {
  const own: Row = row;
  const empty = lists.filter(([name]) => !Array.isArray(own[name])).map(([name]) => [name, []]);
  return empty.length === 0 ? row : { ...row, ...Object.fromEntries(empty) };
}

/** Stores the menu that guests will see when a release is published. */
export async function keepPreview(
  tx: Db,
  tenantId: number,
  { id, starts_at }: Release,
  menu: StoredMenu,
): Promise<void> {
  const at = starts_at === null ? await readClock(tx) : new Date(starts_at);
  const stored = { ...menu, dishes: menu.dishes.map(asStored) };
  const { head, sections } = await inSlices(buildInSteps(stored, at), constants.buildSlice);
  const templates = [...sections.values()].map(({ template }) => encodeTemplate(template));
  await savePreview(tx, tenantId, id, { head: JSON.stringify(head), templates });
}
