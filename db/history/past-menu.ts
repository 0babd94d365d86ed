import type { Db } from '../postgres/sql.ts';
import { inSlices } from '../runtime/in-slices.ts';
import type { Field } from '../schema/field.ts';
import { defaultsOf, type RecordType } from '../schema/record.ts';
import { MENU_COLLECTIONS, records } from '../schema/registry.ts';
import { type Resource, SINGLETONS } from '../schema/values/resource.ts';
import type { Row } from '../schema/values/row.ts';
import type { Change } from '../schema/version.ts';
import { type DocumentRows, documentRows } from '../snapshot/menu-document.ts';
import { findDifferences } from '../sql/history.ts';
import { type MenuRow, recordsOf, type StoredMenu } from '../sql/menus.ts';

/** A record as documents have it, with its id. */
export type PastRow = MenuRow;

/** The records of a menu as documents have them: of each kind by their ids. */
export type PastMenu = ReadonlyMap<Resource, Map<number, PastRow>>;

/** A menu as it is. A step is one kind of records. */
export function* pastMenu(menu: StoredMenu): Generator<void, PastMenu> {
  const past = new Map<Resource, Map<number, PastRow>>();
  for (const resource of [...SINGLETONS, ...MENU_COLLECTIONS]) {
    const record = records[resource];
    const rows = documentRows(recordsOf(menu, record), record);
    past.set(resource, new Map(Array.from(rows, (row) => [row.id, row])));
    yield;
  }
  return past;
}

/** A whole record of a difference: fields that are not in it have their defaults. */
export function wholeRow(record: RecordType, id: number, fields: Row): PastRow {
  const defaults = defaultsOf(record);
  const own = Object.entries<Field>(record.fields).filter(([, { input }]) => input !== null);
  const row = own.map(([name]) => [name, name in fields ? fields[name] : (defaults[name] ?? null)]);
  return { id, ...Object.fromEntries(row) };
}

/** A record as it was before it was deleted. */
export function deletedRow(change: Change): PastRow {
  const { resource, id, external_id } = change;
  const record = records[resource];
  const row = wholeRow(record, id, sideOf(change, 0));
  // The digest of a photo is no field that a body may write.
  return record.isUploaded ? { ...row, external_id } : row;
}

/** One side of each field of a change. */
export function sideOf({ fields }: Change, side: 0 | 1): Row {
  return Object.fromEntries(Object.entries(fields).map(([name, pair]) => [name, pair[side]]));
}

/** Makes a menu what it was before a change. */
function takeBack(past: PastMenu, change: Change): void {
  const { resource, id, action } = change;
  const rows = past.get(resource);
  if (!rows) return;
  const record = records[resource];
  if (action === 'created' || action === 'restored') {
    if (!record.isSingleton) rows.delete(id);
    return;
  }
  const before = sideOf(change, 0);
  if (action === 'deleted') {
    rows.set(id, deletedRow(change));
    return;
  }
  const row = rows.get(id);
  if (!row) throw new Error(`the history changes ${resource} ${id}, which is not there`);
  const own = Object.entries(before).filter(([name]) => record.fields[name]?.input);
  rows.set(id, { ...row, ...Object.fromEntries(own) });
}

function* takeAllBack(past: PastMenu, changes: readonly Change[]): Generator<void, void> {
  for (const change of changes.toReversed()) {
    takeBack(past, change);
    yield;
  }
}

/**
 * The menu as it was in a version: the present one without all later differences.
 *
 * @param menu the present one, of the same moment as the history
 */
export async function menuAsOf(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  version: number,
): Promise<PastMenu> {
  const past = await inSlices(pastMenu(menu));
  let before = menu.version + 1;
  while (before > version + 1) {
    const found = await findDifferences(db, tenantId, { after: version, before });
    for (const entry of found) {
      await inSlices(takeAllBack(past, entry.changes));
      before = entry.version;
    }
    if (found.length === 0) break;
  }
  return past;
}

/** The records of one kind of a past menu, in the order of `loadMenu`. */
export function pastRows(past: PastMenu, resource: Resource): DocumentRows {
  const place = (row: PastRow) => Number(row.display_order ?? 0);
  return [...(past.get(resource)?.values() ?? [])].sort(
    (left, right) => place(left) - place(right) || left.id - right.id,
  );
}
