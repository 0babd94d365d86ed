import { type Db, sql } from '../../postgres/connection.ts';
import type { Collection } from '../../schema/resource.ts';
import { tableOf } from './record-sources.ts';

/** Marks a section, all sections below it and their types and dishes as deleted. */
async function deleteSection(
  db: Db,
  tenantId: number,
  id: number,
  deletion: string,
): Promise<void> {
  await db.run(sql.typeAlias('nothing')`
    with recursive gone (id) as (
      select ${id}::integer
      union all
      select s.id from sections s join gone on s.parent_id = gone.id
      where s.tenant_id = ${tenantId} and s.deleted_at is null
    ), gone_types as (
      update types set deleted_at = now(), updated_at = now(), deletion = ${deletion}
      where tenant_id = ${tenantId} and deleted_at is null
        and category_id in (select id from gone)
    ), gone_dishes as (
      update dishes set deleted_at = now(), updated_at = now(), deletion = ${deletion}
      where tenant_id = ${tenantId} and deleted_at is null
        and category_id in (select id from gone)
    )
    update sections set deleted_at = now(), updated_at = now(), deletion = ${deletion}
    where tenant_id = ${tenantId} and deleted_at is null and id in (select id from gone)
  `);
}

/**
 * Marks a record as deleted, a section with all that it holds. Dishes keep a type or winery that is
 * deleted and show none.
 *
 * @param deletion names this deletion, so that restoring undoes exactly it
 */
export async function deleteRecord(
  db: Db,
  collection: Collection,
  tenantId: number,
  id: number,
  deletion: string,
): Promise<void> {
  if (collection === 'categories') {
    await deleteSection(db, tenantId, id, deletion);
    return;
  }
  await db.run(sql.typeAlias('nothing')`
    update ${tableOf(collection)}
    set deleted_at = now(), updated_at = now(), deletion = ${deletion}
    where tenant_id = ${tenantId} and id = ${id}
  `);
}
