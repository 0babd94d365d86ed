import { constants } from '../../db/runtime/constants.ts';
import { inOneGo } from '../../db/runtime/in-slices.ts';
import { idsIn } from '../../db/schema/named-ids.ts';
import type { RecordType } from '../../db/schema/record.ts';
import { records } from '../../db/schema/registry.ts';
import type { Input } from '../../db/schema/validation/check-input.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { type Listed, recordOf } from './working-menu.ts';

/** Records stay the same objects from write to write, so that each of them is measured once. */
const measured = new WeakMap<object, number>();

function recordLength(record: object): number {
  const known = measured.get(record);
  if (known !== undefined) return known;
  const length = Buffer.byteLength(JSON.stringify(record));
  measured.set(record, length);
  return length;
}

/** Length of a value as JSON, in bytes. */
function jsonLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null));
}

/** Length of the name that an option of a set menu takes from its dish. */
function nameLength(dish: Listed | undefined): number {
  return dish ? jsonLength(dish.name_translations) : 0;
}

/**
 * Length of what a menu is made of, in bytes: each wine carries its winery, each dish its groups of
 * options, and each set menu the names of its dishes. A step is one record.
 */
function* menuLength(menu: StoredMenu): Generator<void, number> {
  const { sections, types, wineries, modifier_groups: groups, dishes } = menu;
  const carried = new Map(wineries.map((winery) => [winery.id, recordLength(winery)]));
  const ofGroups = new Map(groups.map((group) => [group.id, recordLength(group)]));
  let length = 0;
  for (const record of [...sections, ...types, ...wineries, ...groups, ...dishes]) {
    length += recordLength(record);
    yield;
  }
  for (const dish of dishes) {
    length += carried.get(dish.winery_id ?? 0) ?? 0;
    for (const id of dish.modifier_group_ids) length += ofGroups.get(id) ?? 0;
    for (const id of idsIn(dish.courses)) length += nameLength(recordOf(menu, records.items, id));
  }
  return length;
}

/** Length of what a new dish carries: its winery, its groups, and the names of its dishes. */
function carriedLength(
  menu: StoredMenu,
  { winery_id, modifier_group_ids, courses }: Input,
): number {
  const sum = (lengths: number[]) => lengths.reduce((total, length) => total + length, 0);
  const named = (record: RecordType, value: unknown, measure: (row: Listed) => number) =>
    sum(
      idsIn(value).map((id) => {
        const row = recordOf(menu, record, id);
        return row ? measure(row) : 0;
      }),
    );
  return (
    named(records.wineries, winery_id, recordLength) +
    named(records.modifier_groups, modifier_group_ids ?? [], recordLength) +
    named(records.items, courses ?? [], nameLength)
  );
}

/** Whether a menu has room for a new record, whatever else is wrong with it. */
export function hasRoomFor(menu: StoredMenu, input: Input): boolean {
  const added = jsonLength(input) + carriedLength(menu, input);
  return inOneGo(menuLength(menu)) + added <= constants.maxMenuLength;
}

/** Whether a menu has become longer, and longer than its bound. */
export function* growsBeyondBound(before: StoredMenu, after: StoredMenu): Generator<void, boolean> {
  const length = yield* menuLength(after);
  return length > constants.maxMenuLength && length > (yield* menuLength(before));
}
