import { constants } from '../runtime/constants.ts';
import { inOneGo } from '../runtime/in-slices.ts';
import { memoizeWeakly } from '../runtime/memoize.ts';
import { idsIn } from '../schema/references.ts';
import { records } from '../schema/registry.ts';
import type { Input } from '../schema/validation/check-input.ts';
import { listIn } from '../schema/values/row.ts';
import { type MenuRow, readLengths, type StoredMenu } from '../sql/menus.ts';
import type { Draft, Replaced } from './draft.ts';
import { recordOf } from './working-menu.ts';

/** The fields of a record that nothing has set count as so many bytes at most. */
const MAX_UNSET_BYTES = 450;

/** Of a field in JSON without its name: quotes, colon, `null` and comma. */
const UNSET_BYTES = 8;

function isUnset(value: unknown): boolean {
  if (typeof value !== 'object') return value === false || value === '';
  if (Array.isArray(value)) return value.length === 0;
  return value === null || Object.keys(value).length === 0;
}

/**
 * A field that later releases add must not make full menus too long. So unset ones are bounded. Records
 * stay the same objects from write to write, so that each of them is measured once.
 */
const recordLength = memoizeWeakly((record: object): number => {
  const set: Input = {};
  let unset = 0;
  for (const [name, value] of Object.entries(record)) {
    if (isUnset(value)) unset += name.length + UNSET_BYTES;
    else set[name] = value;
  }
  return jsonLength(set) + Math.min(unset, MAX_UNSET_BYTES);
});

/** Length of a value as JSON, in bytes. */
function jsonLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null));
}

/** Length of the name that an option of a set menu takes from its dish. */
function nameLength(dish: MenuRow | undefined): number {
  return dish ? jsonLength(dish.name_translations) : 0;
}

/**
 * Length of what dishes carry: their wineries, their groups, and the names of their dishes. A step is
 * one dish.
 */
function* allCarried(menu: StoredMenu): Generator<void, number> {
  const { wineries, modifier_groups: groups, dishes } = menu;
  const ofWineries = new Map(wineries.map((winery) => [winery.id, recordLength(winery)]));
  const ofGroups = new Map(groups.map((group) => [group.id, recordLength(group)]));
  let length = 0;
  for (const dish of dishes) {
    length += ofWineries.get(dish.winery_id ?? 0) ?? 0;
    for (const id of dish.modifier_group_ids) length += ofGroups.get(id) ?? 0;
    for (const id of idsIn(dish.courses)) length += nameLength(recordOf(menu, records.items, id));
    yield;
  }
  return length;
}

/**
 * Length of what a menu is made of, in bytes: each wine carries its winery, each dish its groups of
 * options, and each set menu the names of its dishes. A step is one record.
 */
function* menuLength(menu: StoredMenu): Generator<void, number> {
  const { sections, types, wineries, modifier_groups: groups, dishes } = menu;
  let length = yield* allCarried(menu);
  for (const record of [...sections, ...types, ...wineries, ...groups, ...dishes]) {
    length += recordLength(record);
    yield;
  }
  return length;
}

/** Length of what fields of a dish carry: its winery, its groups, and the names of its dishes. */
function carriedLength(menu: StoredMenu, { winery_id, modifier_group_ids, courses }: Input) {
  const carried = [
    ...idsIn(winery_id).map((id) => recordOf(menu, records.wineries, id)),
    ...listIn(modifier_group_ids).map((id) => recordOf(menu, records.modifier_groups, id)),
  ];
  let length = 0;
  for (const row of carried) if (row) length += recordLength(row);
  for (const id of idsIn(listIn(courses))) length += nameLength(recordOf(menu, records.items, id));
  return length;
}

/** Whether a menu has room for a new record, whatever else is wrong with it. */
export function hasRoomFor(menu: StoredMenu, input: Input): boolean {
  const added = jsonLength(input) + carriedLength(menu, input);
  return inOneGo(menuLength(menu)) + added <= constants.maxMenuLength;
}

/** How much longer a row is than the one before, at most; null where other records carry it. */
function growth(menu: StoredMenu, { record, before, after }: Replaced): number | null {
  if (record.isUploaded) return 0;
  const own = Object.entries(after).filter(([name, value]) => value !== before?.[name]);
  const set: Input = Object.fromEntries(own);
  const isDish = record === records.items;
  const isCarried = isDish
    ? 'name_translations' in set
    : record !== records.types && record !== records.categories;
  if (before && isCarried) return null;
  return jsonLength(set) + (isDish ? carriedLength(menu, set) : 0);
}

/**
 * How much longer a draft is than its menu, at most; null where only the whole menu says it. A step is
 * one record.
 */
function* totalGrowth({ menu, replaced }: Draft): Generator<void, number | null> {
  let sum = 0;
  for (const one of replaced) {
    const grown = growth(menu, one);
    if (grown === null) return null;
    sum += grown;
    yield;
  }
  return sum;
}

/** Upper bounds of the lengths of menus, by their lists of dishes. */
const lengths = new WeakMap<readonly MenuRow[], number>();

/** Takes the bound of a draft's menu over to the same menu with the ids of its records. */
export function passLength({ dishes: from }: StoredMenu, { dishes: to }: StoredMenu): void {
  const length = lengths.get(from);
  if (length !== undefined) lengths.set(to, length);
}

/** The same of a menu that has just been read: what it was read from was about as long. */
function* boundAsRead(menu: StoredMenu): Generator<void, number | undefined> {
  const read = readLengths.get(menu.dishes);
  if (read === undefined) return undefined;
  const { sections, types, wineries, modifier_groups: groups, dishes } = menu;
  const { length: count } = [...sections, ...types, ...wineries, ...groups, ...dishes];
  return read + count * MAX_UNSET_BYTES + (yield* allCarried(menu));
}

/**
 * Whether a draft is longer than its menu, and longer than a menu may be. The length of the menu before
 * is known from the write before or from the read, so that the whole menu is measured only where the
 * bound is near.
 */
export function* growsBeyondBound(draft: Draft): Generator<void, boolean> {
  const { before, menu } = draft;
  const known = lengths.get(before.dishes) ?? (yield* boundAsRead(before));
  const grown = known === undefined ? null : yield* totalGrowth(draft);
  if (known !== undefined && grown !== null) {
    // A draft that is dropped may share this list with the menu that stays: so nothing is taken off.
    const most = known + grown;
    lengths.set(menu.dishes, most);
    if (most <= constants.maxMenuLength) return false;
  }
  const length = yield* menuLength(menu);
  if (menu.dishes !== before.dishes) lengths.set(menu.dishes, length);
  else lengths.delete(menu.dishes);
  return length > constants.maxMenuLength && length > (yield* menuLength(before));
}
