import { purgeOrder, records, SINGLETONS } from '../../../db/schema/registry.ts';
import type { StoredMenu } from '../../../db/sql/menu/load-menu.ts';
import { type Listed, listOf } from '../working-menu.ts';

/** New records have provisional ids, which count down from -1: they come last, the first one first. */
function compare(left: Listed, right: Listed): number {
  const age = ({ id }: Listed) => (id < 0 ? Number.MAX_SAFE_INTEGER / 2 - id : id);
  return (left.display_order ?? 0) - (right.display_order ?? 0) || age(left) - age(right);
}

function groupBy(list: readonly Listed[], field: string): Map<unknown, Listed[]> {
  const groups = new Map<unknown, Listed[]>();
  for (const one of [...list].sort(compare)) {
    const group = groups.get(one[field] ?? null);
    if (group) group.push(one);
    else groups.set(one[field] ?? null, [one]);
  }
  return groups;
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
  const sections = groupBy(listOf(menu, records.categories), 'parent_id');
  const parts = (['types', 'items'] as const).map((resource) => ({
    resource,
    lists: groupBy(listOf(menu, records[resource]), 'category_id'),
  }));
  const walk = (parentId: number | null): Listed[] =>
    (sections.get(parentId) ?? []).flatMap((section) => [section, ...walk(section.id)]);
  const all = walk(null);
  const isWine = ({ menu_type }: Listed) => menu_type === 'wine';
  for (const section of [...all.filter((one) => !isWine(one)), ...all.filter(isWine)]) {
    add('categories', section.id);
    for (const { resource, lists } of parts) {
      for (const { id } of lists.get(section.id) ?? []) add(resource, id);
    }
  }
  for (const resource of purgeOrder()) {
    for (const { id } of listOf(menu, records[resource])) add(resource, id);
  }
  return order;
}
