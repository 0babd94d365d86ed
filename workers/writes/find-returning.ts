import type { SentOperation } from '../../db/menu/plan.ts';
import { noteHidden, type Returning } from '../../db/menu/returning.ts';
import { recordByKey } from '../../db/menu/working-menu.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { records } from '../../db/schema/registry.ts';
import { type Collection, isCollection, isResource } from '../../db/schema/values/resource.ts';
import { isObject } from '../../db/schema/values/row.ts';
import { findDeletedByKey, findHiddenReferences } from '../../db/sql/deletions.ts';
import type { MenuRow, StoredMenu } from '../../db/sql/menus.ts';

/**
 * The keys of upserts that the menu does not have, by collection; photos come by their upload. A step
 * is one operation.
 */
function* unknownKeys(menu: StoredMenu, operations: readonly SentOperation[]) {
  const keys = new Map<Collection, Set<string>>();
  for (const { operation } of operations) {
    yield;
    if (!isObject(operation) || operation.action !== 'upsert') continue;
    const { resource, external_id: key } = operation;
    if (!isResource(resource) || !isCollection(resource) || typeof key !== 'string') continue;
    const record = records[resource];
    if (record.isUploaded || recordByKey(menu, record, key)) continue;
    keys.set(resource, (keys.get(resource) ?? new Set()).add(key));
  }
  return keys;
}

/** The deleted records whose keys come back. */
export async function findReturning(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  operations: readonly SentOperation[],
): Promise<Returning> {
  const returning: Returning = { deleted: new Map(), hidden: new Map() };
  for (const [collection, keys] of await inSlices(unknownKeys(menu, operations))) {
    const found = await findDeletedByKey(db, collection, tenantId, [...keys]);
    for (const { row } of found) {
      returning.deleted.set(`${collection}/${row.external_id}`, row as MenuRow);
    }
    if (found.length === 0) continue;
    const ids = found.map(({ row }) => row.id);
    const hidden = await findHiddenReferences(db, records[collection], tenantId, ids);
    noteHidden(returning.hidden, collection, hidden);
  }
  return returning;
}
