import { constants } from '../../db/runtime/constants.ts';
import { inOneGo } from '../../db/runtime/in-slices.ts';
import { isCollection, type Resource, records } from '../../db/schema/registry.ts';
import type { Input } from '../../db/schema/validation/check-input.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { recordOf } from './working-menu.ts';

/** Records stay the same objects from write to write, so that each of them is measured once. */
const measured = new WeakMap<object, number>();

/** Length of a value as JSON, in bytes. */
function jsonLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null));
}

function recordLength(record: object): number {
  const known = measured.get(record);
  if (known !== undefined) return known;
  const length = jsonLength(record);
  measured.set(record, length);
  return length;
}

/** Length of what a menu is made of, in bytes; every wine carries its winery. A step is one record. */
function* menuLength(menu: StoredMenu): Generator<void, number> {
  const { sections, types, wineries, dishes } = menu;
  const carried = new Map(wineries.map((winery) => [winery.id, recordLength(winery)]));
  let length = 0;
  for (const record of [...sections, ...types, ...wineries, ...dishes]) {
    length += recordLength(record);
    yield;
  }
  for (const { winery_id: id } of dishes) length += (id !== null && carried.get(id)) || 0;
  return length;
}

function wineryLength(menu: StoredMenu, id: unknown): number {
  const winery = recordOf(menu, records.wineries, id);
  return winery ? recordLength(winery) : 0;
}

/** By how much a record becomes longer by the fields of a checked body. */
function ownGrowth(record: Input | undefined, input: Input): number {
  if (!record) return jsonLength(input);
  // Texts in several languages are stored under another name than they are sent.
  const present = (field: string) => record[`${field}_translations`] ?? record[field];
  const fields = Object.entries(input);
  return fields.reduce(
    (sum, [field, value]) => sum + jsonLength(value) - jsonLength(present(field)),
    0,
  );
}

/** By how many bytes a write makes a menu longer; below 0 when it makes it shorter. */
function growth(menu: StoredMenu, resource: Resource, input: Input, id: number | null): number {
  // Settings and theme are there once, and short.
  if (!isCollection(resource) || !records[resource].isOnMenu) return 0;
  const record = recordOf(menu, records[resource], id);
  const own = ownGrowth(record, input);
  if (resource === 'wineries') {
    return own * (1 + menu.dishes.filter((dish) => record && dish.winery_id === id).length);
  }
  const { winery_id = record?.winery_id } = input;
  return own + wineryLength(menu, winery_id) - wineryLength(menu, record?.winery_id);
}

/**
 * Whether a menu has room for a write: one that makes it no longer always has.
 *
 * @param id of the record that is changed; null when one is created
 */
export function hasRoomFor(
  menu: StoredMenu,
  resource: Resource,
  input: Input,
  id: number | null,
): boolean {
  const added = growth(menu, resource, input, id);
  return added <= 0 || inOneGo(menuLength(menu)) + added <= constants.maxMenuLength;
}

/** Whether a menu is within its bound. */
export function isWithinBound(menu: StoredMenu): boolean {
  return inOneGo(menuLength(menu)) <= constants.maxMenuLength;
}

/** Whether a menu has become longer, and longer than its bound. */
export function* growsBeyondBound(before: StoredMenu, after: StoredMenu): Generator<void, boolean> {
  const length = yield* menuLength(after);
  return length > constants.maxMenuLength && length > (yield* menuLength(before));
}
