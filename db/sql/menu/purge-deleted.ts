import { type Db, sql } from '../../postgres/connection.ts';
import { constants } from '../../runtime/constants.ts';

/** The tables of menu records, in an order in which nothing refers to what is already purged. */
export const PURGED_TABLES = ['dishes', 'types', 'wineries', 'sections'] as const;
export type PurgedTable = (typeof PURGED_TABLES)[number];

/** What was deleted before it is not brought back: a part of it may be gone for good. */
export const restorableSince = sql.fragment`now() - make_interval(hours => ${constants.purgeDays * 24})`;

/** Rows that still refer to a record: while there are any, it stays. */
const referrers = {
  dishes: sql.fragment`false`,
  types: sql.fragment`false`,
  wineries: sql.fragment`false`,
  sections: sql.fragment`(
    exists (select from sections c where c.tenant_id = r.tenant_id and c.parent_id = r.id)
    or exists (select from types c where c.tenant_id = r.tenant_id and c.category_id = r.id)
    or exists (select from dishes c where c.tenant_id = r.tenant_id and c.category_id = r.id)
  )`,
};

/** Takes a purged type or winery from the dishes that still name it. */
const releases = {
  dishes: sql.fragment`select`,
  types: sql.fragment`
    update dishes d set type_id = null from old
    where d.tenant_id = old.tenant_id and d.type_id = old.id
  `,
  wineries: sql.fragment`
    update dishes d set winery_id = null from old
    where d.tenant_id = old.tenant_id and d.winery_id = old.id
  `,
  sections: sql.fragment`select`,
};

/**
 * Removes records of one table for good that were deleted more than `purgeDays` ago, at most
 * `removalBatch`, and returns how many they were. No reader can tell: they have not been shown since.
 */
export async function purgeDeleted(db: Db, table: PurgedTable): Promise<number> {
  const { removalBatch } = constants;
  const name = sql.identifier([table]);
  return db.run(sql.typeAlias('nothing')`
    with old as (
      select r.tenant_id, r.id from ${name} r
      where r.deleted_at < ${restorableSince} and not ${referrers[table]}
      order by r.deleted_at limit ${removalBatch} for update skip locked
    ), released as (${releases[table]})
    delete from ${name} r using old where r.tenant_id = old.tenant_id and r.id = old.id
  `);
}
