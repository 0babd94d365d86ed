import { LRUCache } from 'lru-cache';
import type { RecordType } from '../schema/record.ts';
import { idsIn } from '../schema/references.ts';
import type { Row } from '../schema/values/row.ts';
import type { FormerMenu } from '../snapshot/build.ts';
import { type MenuRow, recordsOf, type StoredMenu } from '../sql/menus.ts';

/** Menus that a worker keeps in memory between writes, in bytes. */
const MENU_CACHE_BYTES = 64 * 1_048_576;

/** The menu of a tenant in a worker's memory, and its stored snapshots. */
interface KnownMenu {
  /** The transaction that made it; see `lockTenant`. */
  stamp: string;
  menu: StoredMenu;
  built: FormerMenu;
}

export type KnownMenus = LRUCache<number, KnownMenu>;

/** The records, what was made of them, and the templates: each about as long as the last. */
const COPIES = 3;
/** About the length of a dish in a template, where none was made. */
const DISH_LENGTH = 2_000;

function sizeOf({ built }: KnownMenu): number {
  let length = 1;
  for (const section of built.sections.values()) {
    if (!('template' in section)) {
      length += (section.stored.length * DISH_LENGTH) / COPIES;
      continue;
    }
    length += section.template.json.length;
    for (const text of section.template.texts.values()) length += text.length;
  }
  return Math.ceil(length * COPIES);
}

export function createKnownMenus(): KnownMenus {
  return new LRUCache({ maxSize: MENU_CACHE_BYTES, sizeCalculation: sizeOf });
}

/** The records of one kind that a menu has; none of what it has one of. */
export function listOf(menu: StoredMenu, record: RecordType): readonly MenuRow[] {
  return record.isSingleton ? [] : recordsOf(menu, record);
}

interface ListIndex {
  byId: Map<number, MenuRow>;
  byKey: Map<unknown, MenuRow>;
  /** The greatest `display_order` of the records with a parent; filled when it is asked for. */
  lastPlaces: Map<unknown, number> | null;
  /** Ids of the records by a field that refers to another record; filled when it is asked for. */
  referring: Map<string, Map<unknown, Set<number>>>;
}

/** A list stays the same object until one of its records changes. */
const indexes = new WeakMap<readonly MenuRow[], ListIndex>();

/** The index of a list, made when it is asked for; who changes the list calls `noteChange`. */
export function indexOf(list: readonly MenuRow[]): ListIndex {
  const known = indexes.get(list);
  if (known) return known;
  const byId = new Map(list.map((one) => [one.id, one]));
  const keyed = list.filter(({ external_id }) => typeof external_id === 'string');
  const byKey = new Map(keyed.map((one) => [one.external_id, one]));
  const index: ListIndex = { byId, byKey, lastPlaces: null, referring: new Map() };
  indexes.set(list, index);
  return index;
}

function countPlace(places: Map<unknown, number>, { parent = '' }: RecordType, one: Row): void {
  const within = one[parent] ?? null;
  places.set(within, Math.max(places.get(within) ?? -1, Number(one.display_order)));
}

/** The greatest `display_order` of the records with a parent, or -1. */
export function lastPlace(menu: StoredMenu, record: RecordType, parent: unknown): number {
  const list = listOf(menu, record);
  const index = indexOf(list);
  if (!index.lastPlaces) {
    index.lastPlaces = new Map();
    for (const one of list) countPlace(index.lastPlaces, record, one);
  }
  return index.lastPlaces.get(parent) ?? -1;
}

function addReference(ids: Map<unknown, Set<number>>, to: unknown, id: number): void {
  const known = ids.get(to);
  if (known) known.add(id);
  else ids.set(to, new Set([id]));
}

/** The records of a list that refer to another record by a field, in no particular order. */
export function referringTo(list: readonly MenuRow[], field: string, to: unknown): MenuRow[] {
  const { byId, referring } = indexOf(list);
  let ids = referring.get(field);
  if (!ids) {
    ids = new Map();
    for (const one of list) for (const named of idsIn(one[field])) addReference(ids, named, one.id);
    referring.set(field, ids);
  }
  return [...(ids.get(to) ?? [])].map((id) => byId.get(id) as MenuRow);
}

function indexRecord(
  index: ListIndex,
  record: RecordType,
  before: MenuRow | undefined,
  after: MenuRow | undefined,
): void {
  const { byId, byKey, lastPlaces, referring } = index;
  for (const [field, ids] of referring) {
    for (const named of before ? idsIn(before[field]) : [])
      ids.get(named)?.delete(Number(before?.id));
    for (const named of after ? idsIn(after[field]) : [])
      addReference(ids, named, Number(after?.id));
  }
  if (before) {
    byId.delete(before.id);
    if (before.external_id) byKey.delete(before.external_id);
    const { parent = '' } = record;
    const isInPlace =
      after?.display_order === before.display_order && after?.[parent] === before[parent];
    if (!isInPlace) index.lastPlaces = null;
  } else if (after && lastPlaces) countPlace(lastPlaces, record, after);
  if (!after) return;
  byId.set(after.id, after);
  if (after.external_id) byKey.set(after.external_id, after);
}

/** Keeps the index of a list true, where it has one: `after` stands in the place of `before`. */
export function noteChange(
  list: readonly MenuRow[],
  record: RecordType,
  before: MenuRow | undefined,
  after: MenuRow | undefined,
): void {
  const index = indexes.get(list);
  if (index) indexRecord(index, record, before, after);
}

/**
 * Gives the index of a list to the one that comes after it and differs by one record. So a menu is
 * indexed once, and not at each write; the former list is indexed anew if it is needed again.
 */
export function passIndex(
  from: readonly MenuRow[],
  to: readonly MenuRow[],
  record: RecordType,
  before: MenuRow | undefined,
  after: MenuRow,
): void {
  const index = indexes.get(from);
  indexes.delete(from);
  indexes.delete(to);
  if (!index) return;
  indexRecord(index, record, before, after);
  indexes.set(to, index);
}

export function recordOf(menu: StoredMenu, record: RecordType, id: unknown): MenuRow | undefined {
  return indexOf(listOf(menu, record)).byId.get(id as number);
}

export function recordByKey(menu: StoredMenu, record: RecordType, key: unknown) {
  return indexOf(listOf(menu, record)).byKey.get(key);
}
