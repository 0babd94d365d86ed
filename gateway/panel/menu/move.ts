import { constants } from '../../../db/runtime/constants.ts';
import { listDishes } from '../../../db/sql/panel/list-dishes.ts';
import { listSections } from '../../../db/sql/panel/list-sections.ts';
import type { Desk } from '../desk.ts';
import { recordName } from '../records/record-name.ts';
import type { ListChange } from './menu-changes.ts';
import { readMenuQuery } from './menu-view.ts';
import { newOrder, type Placed } from './new-order.ts';
import { sectionTree } from './section-tree.ts';

function toChanges(
  resource: ListChange['resource'],
  siblings: readonly Placed[],
  { id, to, name }: { id: number; to: number; name: string },
): ListChange[] {
  const before = new Map(siblings.map((one) => [one.id, one.display_order]));
  return newOrder(siblings, id, to).map((one) => ({
    ...{ resource, id: one.id, name, ifMatch: null },
    input: { display_order: one.display_order },
    undo: { display_order: before.get(one.id) },
    key: ['move', id, to, one.id],
  }));
}

/** Moves a dish within the section that the list shows. */
export async function moveDish(
  desk: Desk,
  id: number,
  way: 'up' | 'down' | 'place',
  index: number,
): Promise<ListChange[]> {
  const { db, visit } = desk;
  const { section } = readMenuQuery(desk);
  if (section === null) return [];
  const limit = constants.maxListedDishes;
  const dishes = await listDishes(db, visit.tenantId, { sectionId: section, limit });
  const from = dishes.findIndex((dish) => dish.id === id);
  const dish = dishes[from];
  if (!dish) return [];
  const siblings = dishes.map(({ id: one, data }) => ({
    id: one,
    display_order: Number(data.display_order),
  }));
  const to = way === 'place' ? index : from + (way === 'up' ? -1 : 1);
  if (!Number.isInteger(to) || Math.abs(to - from) >= constants.maxDishesAtOnce) return [];
  return toChanges('items', siblings, {
    id,
    to,
    name: recordName(dish.data, visit.texts.language),
  });
}

/** Moves a section among those with the same parent. */
export async function moveSection(desk: Desk, id: number, way: string): Promise<ListChange[]> {
  const { db, visit } = desk;
  const placed = sectionTree(await listSections(db, visit.tenantId));
  const found = placed.find(({ section }) => section.id === id);
  if (!found) return [];
  const from = found.siblings.findIndex((one) => one.id === id);
  const to = from + (way === 'section-up' ? -1 : 1);
  const name = recordName(found.section, visit.texts.language);
  return toChanges('categories', found.siblings, { id, to, name });
}
