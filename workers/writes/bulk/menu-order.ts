import { type Collection, purgeOrder, records, SINGLETONS } from '../../../db/schema/registry.ts';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import { type Listed, listOf, referringTo } from '../working-menu.ts';

/** New records have provisional ids, which count down from -1: they come last, the first one first. */
function compare(left: Listed, right: Listed): number {
  const age = ({ id }: Listed) => (id < 0 ? Number.MAX_SAFE_INTEGER / 2 - id : id);
  return (left.display_order ?? 0) - (right.display_order ?? 0) || age(left) - age(right);
}

/**
 * The places of all records in the order in which a menu is read, by `<resource>/<id>`: each section
 * with its types and dishes before the sections in it, and wine sections last.
 */
export function menuOrder(menu: StoredMenu): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const add = (resource: string, id: number | '') => {
    const name = `${resource}/${id}`;
    if (!order.has(name)) order.set(name, order.size);
  };
  for (const resource of SINGLETONS) add(resource, '');
  const within = (resource: Collection, field: string, section: number | null) =>
    referringTo(listOf(menu, records[resource]), field, section).sort(compare);
  const walk = (parentId: number | null): Listed[] =>
    within('categories', 'parent_id', parentId).flatMap((one) => [one, ...walk(one.id)]);
  const all = walk(null);
  const isWine = ({ menu_type }: Listed) => menu_type === 'wine';
  for (const section of [...all.filter((one) => !isWine(one)), ...all.filter(isWine)]) {
    add('categories', section.id);
    for (const resource of ['types', 'items'] as const) {
      for (const { id } of within(resource, 'category_id', section.id)) add(resource, id);
    }
  }
  for (const resource of purgeOrder()) {
    for (const { id } of listOf(menu, records[resource])) add(resource, id);
  }
  return order;
}
