import { bounds } from '../../db/bounds.ts';
import type { StoredMenu, StoredWinery } from '../../db/queries/load-menu.ts';
import type { Resource } from '../../db/records/resource.ts';
import type { Input } from '../../db/validation/check-input.ts';

/** Records stay the same objects from write to write, so that each of them is measured once. */
const measured = new WeakMap<object, number>();

/** Length of a record as JSON, in bytes. */
function lengthOf(record: object): number {
  let length = measured.get(record);
  if (length === undefined) {
    length = Buffer.byteLength(JSON.stringify(record));
    measured.set(record, length);
  }
  return length;
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}

/** Length of what a menu is made of, in bytes; every wine carries its winery. */
function menuLength({ sections, types, wineries, dishes }: StoredMenu): number {
  const lengths = new Map(wineries.map((winery) => [winery.id, lengthOf(winery)]));
  const carried = dishes.map(({ winery_id: id }) => (id === null ? 0 : (lengths.get(id) ?? 0)));
  return sum([...[...sections, ...types, ...wineries, ...dishes].map(lengthOf), ...carried]);
}

function wineryLength(wineries: readonly StoredWinery[], id: unknown): number {
  const winery = wineries.find((one) => one.id === id);
  return winery ? lengthOf(winery) : 0;
}

/** The record that a write is about, as it is; undefined for what there is once. */
function recordOf(menu: StoredMenu, resource: Resource, id: number | null): Input | undefined {
  const lists: Partial<Record<Resource, readonly Input[]>> = {
    categories: menu.sections,
    items: menu.dishes,
    types: menu.types,
    wineries: menu.wineries,
  };
  return lists[resource]?.find((record) => record.id === id);
}

/** Whether a menu has reached its bound. */
export function isFull(menu: StoredMenu): boolean {
  return menuLength(menu) >= bounds.maxMenuLength;
}

/**
 * Whether what a write brings is longer than the whole record that it changes. Less than that does
 * not let a full menu grow beyond twice its bound, and keeps it correctable.
 *
 * @param id of the record that is changed; null when one is created
 */
export function isGrowth(
  menu: StoredMenu,
  resource: Resource,
  input: Input,
  id: number | null,
): boolean {
  if (id === null) return true;
  const record = recordOf(menu, resource, id);
  if (!record) return false;
  const added = lengthOf(input) + wineryLength(menu.wineries, input.winery_id);
  return added > lengthOf(record) + wineryLength(menu.wineries, record.winery_id);
}
