import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { type Collection, isCollection, type Resource, records } from '../../schema/registry.ts';
import { type AdminRecord, adminSchemas, selectRecords } from './admin-record.ts';
import { restorableSince } from './purge-deleted.ts';
import { tableOf } from './record-columns.ts';

/**
 * A record of a tenant as admins see it, deleted ones too, or null.
 *
 * @param id of the record; of settings and theme there is one, and it is not looked at
 */
export function findRecord(
  db: Db,
  resource: Resource,
  tenantId: number,
  id: number | null,
): Promise<AdminRecord | null> {
  const which = isCollection(resource) ? sql.fragment`and r.id = ${id}` : sql.fragment``;
  return db.maybeOne(sql.type(adminSchemas[resource])`
    ${selectRecords(resource)} where r.tenant_id = ${tenantId} ${which}
  `);
}

/** Which of a collection's records a list shows, and the part of them. */
export interface ListOptions {
  /** Of one section; sections and wineries do not belong to one. */
  categoryId: number | undefined;
  /** Those that can be restored instead of those that are there. */
  deleted: boolean;
  page: number;
  perPage: number;
}

/** One page of a tenant's records in the order of their ids, and how many there are in all. */
export async function listRecords(
  db: Db,
  collection: Collection,
  tenantId: number,
  options: ListOptions,
): Promise<{ records: readonly AdminRecord[]; total: number }> {
  const { categoryId, deleted, page, perPage } = options;
  const ofSection =
    categoryId === undefined
      ? sql.fragment``
      : sql.fragment`and r.category_id = ${categoryId}::int8`;
  const where = sql.fragment`
    where r.tenant_id = ${tenantId} ${ofSection}
      and r.deleted_at ${deleted ? sql.fragment`>= ${restorableSince}` : sql.fragment`is null`}
  `;
  // The page's ids come from an index: those of the pages before it are all that is read of these.
  const listed = await db.any(sql.type(adminSchemas[collection])`
    ${selectRecords(collection)}
    where r.tenant_id = ${tenantId} and r.id = any (array(
      select r.id from ${tableOf(records[collection])} r ${where}
      order by r.id limit ${perPage} offset ${(page - 1) * perPage}
    ))
    order by r.id
  `);
  const total = await db.one(sql.value(v.number())`
    select count(*) as total from ${tableOf(records[collection])} r ${where}
  `);
  return { records: listed, total };
}
