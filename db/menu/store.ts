import type { Db, Fragment } from '../postgres/sql.ts';
import { certain } from '../runtime/certain.ts';
import { inSlices } from '../runtime/in-slices.ts';
import type { OperationResult } from '../schema/bulk.ts';
import { idsIn, withIds } from '../schema/references.ts';
import { purgeOrder, records, referencesFrom } from '../schema/registry.ts';
import type { Input } from '../schema/validation/check-input.ts';
import { type Resource, SINGLETONS } from '../schema/values/resource.ts';
import type { Row } from '../schema/values/row.ts';
import { type AdminRecord, readWritten } from '../sql/admin-records.ts';
import { detachDishes, markDeleted } from '../sql/deletions.ts';
import {
  checkedChange,
  checkedRow,
  loadRecords,
  type MenuRow,
  type StoredMenu,
} from '../sql/menus.ts';
import { settlePlainTexts } from '../sql/record-columns.ts';
import {
  freeExternalIds,
  insertions,
  patches,
  reserveIds,
  restoreRecords,
  writeRecords,
} from '../sql/records.ts';
import { type Draft, type DraftChanges, isEmpty } from './draft.ts';
import { passLength } from './menu-size.ts';
import { keepOwnFields } from './own-fields.ts';
import { listOf, passIndex, recordOf } from './working-menu.ts';

/** The ids that new records get, by their provisional ones. */
type Ids = ReadonlyMap<number, number>;

async function reserve(db: Db, { created }: DraftChanges): Promise<Ids> {
  const ids = new Map<number, number>();
  for (const [resource, inputs] of created) {
    const reserved = await reserveIds(db, records[resource].table, inputs.size);
    [...inputs.keys()].forEach((provisional, index) => {
      ids.set(provisional, reserved[index] as number);
    });
  }
  return ids;
}

/**
 * A body that names new records by the ids that they get. A later operation may have deleted a new
 * record: then nothing names it. Only a deleted record lacks a reference that it must have.
 */
function inputWithIds(resource: Resource, input: Input, ids: Ids): Input {
  const named = { ...input };
  for (const { field, isNullable } of referencesFrom(records[resource])) {
    const value = input[field];
    if (!idsIn(value).some((id) => id !== null && id < 0)) continue;
    const real = withIds(value, (id) => (id < 0 ? (ids.get(id) ?? null) : id));
    if (real !== null || isNullable) named[field] = real;
    else delete named[field];
  }
  return named;
}

/** Whether a body gives a menu another default language. */
function isOtherLanguage({ settings }: StoredMenu, { default_locale: locale }: Input): boolean {
  return locale !== undefined && locale !== settings.default_locale;
}

/** A record comes after those that it names. */
const WRITE_ORDER = purgeOrder().toReversed();

/** The only record that a draft writes. */
interface Only {
  resource: Resource;
  /** Provisional for a new one, 0 for a singleton. */
  id: number;
}

/** The record that a draft creates or changes, where that is all it does. */
function onlyOf({ created, patched, restored, deleted }: DraftChanges): Only | null {
  const [one, ...others] = [created, patched].flatMap((kinds) =>
    [...kinds].flatMap(([resource, inputs]) => [...inputs.keys()].map((id) => ({ resource, id }))),
  );
  const isAlone = others.length === 0 && restored.size === 0 && deleted.length === 0;
  return one && isAlone ? one : null;
}

/** Records of a kind as rows, with the ids that they get or have. */
function rowsOf(kinds: DraftChanges['patched'], resource: Resource, ids: Ids) {
  return [...(kinds.get(resource) ?? [])].map(([id, input]): Row & { id: number } => ({
    ...inputWithIds(resource, input, ids),
    id: ids.get(id) ?? id,
  }));
}

/** Marks deleted records, and frees the keys of those that get another. */
async function makeRoom(db: Db, tenantId: number, { deleted, patched }: DraftChanges) {
  for (const collection of WRITE_ORDER) {
    const gone = deleted.filter(({ resource }) => resource === collection);
    await markDeleted(db, records[collection], tenantId, gone);
    const inputs = [...(patched.get(collection) ?? [])];
    const freed = inputs.filter(([, input]) => 'external_id' in input).map(([id]) => id);
    await freeExternalIds(db, records[collection], tenantId, freed);
  }
}

/**
 * Writes what a draft changed, in statements of records with the same columns.
 *
 * @param isRead whether that is one record, which its statement reads back
 */
async function write(db: Db, tenantId: number, { before, changes }: Draft, isRead: boolean) {
  const { created, restored, patched } = changes();
  let record: AdminRecord | undefined;
  const run = async (resource: Resource, statements: Iterable<Fragment>) => {
    if (!isRead) return writeRecords(db, statements);
    for (const statement of statements) record = await readWritten(db, resource, statement);
  };
  const ids: Ids = isRead ? new Map() : await reserve(db, changes());
  if (!isRead) await makeRoom(db, tenantId, changes());
  for (const collection of WRITE_ORDER) {
    const rows = rowsOf(created, collection, ids);
    // A record without an id gets one.
    const bodies = isRead ? rows.map(({ id: _provisional, ...body }) => body) : rows;
    await run(collection, insertions(records[collection], tenantId, bodies));
  }
  for (const collection of WRITE_ORDER) {
    await restoreRecords(db, records[collection], tenantId, rowsOf(restored, collection, ids));
  }
  for (const resource of [...WRITE_ORDER, ...SINGLETONS]) {
    const rows = rowsOf(patched, resource, ids).filter((row) => Object.keys(row).length > 1);
    if (rows.some((row) => isOtherLanguage(before, row))) await settlePlainTexts(db, tenantId);
    await run(resource, patches(records[resource], tenantId, rows));
    for (const { id, category_id: sectionId } of resource === 'types' ? rows : []) {
      if (sectionId !== undefined) await detachDishes(db, tenantId, id, Number(sectionId));
    }
  }
  return { ids, record };
}

/** Whether only the tables know all fields of a record of a kind that was written. */
function isUnknown(resource: Resource): boolean {
  const { isSingleton, isUploaded } = records[resource];
  return Boolean(isSingleton || isUploaded);
}

/**
 * The written records that are read back, by their kind, because the draft may not know all of them:
 * deleted ones that are restored, and uploads. Dishes, too, where a type moves to another section: they
 * show it no more.
 */
function unknownIds({ created, patched, restored }: DraftChanges, ids: Ids) {
  const types = [...(patched.get('types')?.values() ?? [])];
  const isMoved = types.some((input) => 'category_id' in input);
  const unknown = new Map<Resource, number[]>();
  for (const kinds of [created, patched, restored]) {
    for (const [resource, inputs] of kinds) {
      const isRead = kinds === restored || isUnknown(resource);
      if (!isRead && !(isMoved && resource === 'items')) continue;
      const own = [...inputs.keys()].map((id) => ids.get(id) ?? id);
      unknown.set(resource, [...(unknown.get(resource) ?? []), ...own]);
    }
  }
  return unknown;
}

/** The order of `loadMenu`. */
function byPlace(left: MenuRow, right: MenuRow): number {
  return (left.display_order ?? 0) - (right.display_order ?? 0) || left.id - right.id;
}

/** The menu of a draft with its only record as it was written, which costs the copy of no list. */
function menuWithOnly({ before, menu }: Draft, { resource, id }: Only, row: MenuRow): StoredMenu {
  const record = records[resource];
  if (record.isSingleton) return { ...menu, [resource]: row };
  // The draft has copied the list.
  const list = listOf(menu, record) as MenuRow[];
  const at = list.findIndex((one) => one.id === id);
  list[at] = row;
  const [left, right] = [list[at - 1], list[at + 1]];
  const isInPlace = (!left || byPlace(left, row) < 0) && (!right || byPlace(row, right) < 0);
  if (!isInPlace) list.sort(byPlace);
  passIndex(listOf(before, record), list, record, recordOf(before, record, id), row);
  return menu;
}

/**
 * The menu of a draft with the records as they were written; a step is one of them.
 *
 * @param read the records that were read back
 */
function* menuWith(
  { before, menu, changes }: Draft,
  ids: Ids,
  read: ReadonlyMap<Resource, readonly MenuRow[]>,
): Generator<void, StoredMenu> {
  const { created, patched, restored } = changes();
  const touched = new Set([created, patched, restored].flatMap((kinds) => [...kinds.keys()]));
  const after: Record<string, unknown> = { ...menu };
  for (const resource of touched) {
    const record = records[resource];
    const own = read.get(resource) ?? [];
    if (record.isSingleton) {
      if (own[0]) after[resource] = own[0];
      continue;
    }
    const byId = new Map(own.map((row) => [row.id, row]));
    const rows: MenuRow[] = [];
    for (const row of listOf(menu, record)) {
      const id = ids.get(row.id) ?? row.id;
      const known = byId.get(id);
      const isWritten = row.id < 0 || patched.get(resource)?.has(row.id);
      if (known || !isWritten) rows.push(known ?? row);
      else {
        const written = ids.size > 0 ? { ...inputWithIds(resource, row, ids), id } : row;
        const former = recordOf(before, record, id);
        rows.push(former ? checkedChange(record, former, written) : checkedRow(record, written));
      }
      yield;
    }
    after[record.table] = rows.sort(byPlace);
  }
  return after as unknown as StoredMenu;
}

/** The menu with a draft, and its records as they were written. */
export interface Stored {
  /** The ids of new records, by their provisional ones. */
  ids: Ids;
  /** The menu with it; its version is the one before. Null when the menu is as before. */
  menu: StoredMenu | null;
  /** The only record of a draft as admins see it, if it is to be shown. */
  record: AdminRecord | null;
}

export const NOTHING: Stored = { ids: new Map(), menu: null, record: null };

/** A menu after a change that may have taken a version back: the next one takes none back. */
function settled({ following, ...menu }: StoredMenu): StoredMenu {
  return following ? { ...menu, following: { ...following, undone: null } } : menu;
}

/**
 * Writes what a draft changed. The cost is that of the records which it changed.
 *
 * @param isShown whether somebody will see the only record of a draft
 */
export async function storeDraft(
  db: Db,
  tenantId: number,
  draft: Draft,
  isShown = false,
): Promise<Stored> {
  const changes = draft.changes();
  if (isEmpty(changes)) return NOTHING;
  await keepOwnFields(db, tenantId, draft);
  const only = onlyOf(changes);
  const isRead = only !== null && (isShown || only.id <= 0 || isUnknown(only.resource));
  const { ids, record = null } = await write(db, tenantId, draft, isRead);
  if (only) {
    const { resource, id } = only;
    const written = record?.row ?? recordOf(draft.menu, records[resource], id);
    const row = checkedRow(records[resource], certain(written, 'a written record is gone'));
    const own = new Map(id < 0 && record ? [[id, record.id]] : []);
    return { ids: own, record, menu: settled(menuWithOnly(draft, only, row)) };
  }
  const read = await loadRecords(db, tenantId, unknownIds(changes, ids));
  const menu = await inSlices(menuWith(draft, ids, read));
  passLength(draft.menu, menu);
  return { ids, record: null, menu: settled(menu) };
}

/** The results with the ids that new records got; without one in a dry run. */
export function resultsWithIds(
  results: readonly OperationResult[],
  ids: ReadonlyMap<number, number>,
): OperationResult[] {
  const real = (id: number | null) => (id !== null && id < 0 ? ids.get(id) : id);
  return results.map((result) => {
    const changes = { ...result.changes };
    for (const { field } of result.resource ? referencesFrom(records[result.resource]) : []) {
      const change = changes[field];
      if (change) changes[field] = change.map((value) => withIds(value, real));
    }
    return { ...result, id: real(result.id) ?? null, changes };
  });
}
