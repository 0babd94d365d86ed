import { constants } from '../../db/runtime/constants.ts';
import { inOneGo } from '../../db/runtime/in-slices.ts';
import { records } from '../../db/schema/registry.ts';
import type { Input } from '../../db/schema/validation/check-input.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { recordOf } from './working-menu.ts';

/** Records stay the same objects from write to write, so that each of them is measured once. */
const measured = new WeakMap<object, number>();

function recordLength(record: object): number {
  const known = measured.get(record);
  if (known !== undefined) return known;
  const length = Buffer.byteLength(JSON.stringify(record));
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

/** Whether a menu has room for a new record, whatever else is wrong with it. */
export function hasRoomFor(menu: StoredMenu, input: Input): boolean {
  const winery = recordOf(menu, records.wineries, input.winery_id);
  const added = Buffer.byteLength(JSON.stringify(input)) + (winery ? recordLength(winery) : 0);
  return inOneGo(menuLength(menu)) + added <= constants.maxMenuLength;
}

/** Whether a menu has become longer, and longer than its bound. */
export function* growsBeyondBound(before: StoredMenu, after: StoredMenu): Generator<void, boolean> {
  const length = yield* menuLength(after);
  return length > constants.maxMenuLength && length > (yield* menuLength(before));
}
