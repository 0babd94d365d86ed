import * as v from 'valibot';
import { type Db, type Fragment, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { groupBy } from '../runtime/group-by.ts';
import type { RecordType } from '../schema/record.ts';
import {
  COLLECTIONS,
  type Collection,
  type Reference,
  records,
  referencesTo,
} from '../schema/registry.ts';
import { tableOf } from './record-columns.ts';

/** Marks rows of a table as deleted. */
function deleteRows(
  table: Fragment,
  tenantId: number,
  deletion: string,
  which: Fragment,
): Fragment {
  return sql.fragment`
    update ${table} set deleted_at = now(), updated_at = now(), deletion = ${deletion}
    where tenant_id = ${tenantId} and deleted_at is null and ${which}
  `;
}

/**
 * Marks a record as deleted, together with the records that cannot be without it: a section goes with
 * the sections below it and their types and dishes. Dishes keep a type or winery that is deleted and
 * show none.
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
  const record = records[collection];
  const table = tableOf(record);
  const cascades = referencesTo(record).filter(({ options }) => options.onDelete === 'cascade');
  const own = cascades.find(({ from }) => from === record);
  const below = own
    ? sql.fragment`
        union all
        select s.id from ${table} s join gone on s.${sql.identifier([own.field])} = gone.id
        where s.tenant_id = ${tenantId} and s.deleted_at is null
      `
    : sql.fragment``;
  const others = cascades.filter(({ from }) => from !== record);
  const markOther = ({ from, field }: Reference) => {
    const which = sql.fragment`${sql.identifier([field])} in (select id from gone)`;
    const marked = deleteRows(tableOf(from), tenantId, deletion, which);
    return sql.fragment`, ${sql.identifier([`gone_${from.table}`])} as (${marked})`;
  };
  await db.run(sql.nothing`
    with recursive gone (id) as (select ${id}::integer ${below})
    ${sql.join(others.map(markOther), ' ')}
    ${deleteRows(table, tenantId, deletion, sql.fragment`id in (select id from gone)`)}
  `);
}

/**
 * Takes a type from those dishes of other sections that have it and do not show it: they are
 * deleted, or were moved while the type was.
 */
export async function detachDishes(
  db: Db,
  tenantId: number,
  typeId: number,
  sectionId: number,
): Promise<void> {
  await db.run(sql.nothing`
    update dishes set type_id = null, updated_at = now()
    where tenant_id = ${tenantId} and type_id = ${typeId} and category_id <> ${sectionId}
  `);
}

/**
 * Marks records of one kind as deleted.
 *
 * @param deleted the records with the deletion of each; restoring undoes exactly one deletion
 */
export async function markDeleted(
  db: Db,
  record: RecordType,
  tenantId: number,
  deleted: readonly { id: number; group: string }[],
): Promise<void> {
  if (deleted.length === 0) return;
  await db.run(sql.nothing`
    update ${tableOf(record)} r
    set deleted_at = now(), updated_at = now(), deletion = n.deletion
    from jsonb_to_recordset(${JSON.stringify(
      deleted.map(({ id, group }) => ({ id, deletion: group })),
    )}::jsonb) as n (id int, deletion uuid)
    where r.tenant_id = ${tenantId} and r.id = n.id and r.deleted_at is null
  `);
}

const sectionSchema = v.object({ id: v.number(), parent_id: v.nullable(v.number()) });

/** The sections that one deletion took away. */
export function findDeletedSections(db: Db, tenantId: number, deletion: string) {
  return db.any(sql.type(sectionSchema)`
    select id, parent_id from sections where tenant_id = ${tenantId} and deletion = ${deletion}
  `);
}

/**
 * Brings back everything that one deletion took away, and nothing else; nothing at all when that was so
 * long ago that a part may be purged.
 */
export async function restoreDeletion(db: Db, tenantId: number, deletion: string): Promise<void> {
  const restored = COLLECTIONS.map((collection) => {
    const record = records[collection];
    return sql.fragment`
      ${sql.identifier([`restored_${record.table}`])} as (
        update ${tableOf(record)} set deleted_at = null, deletion = null, updated_at = now()
        where tenant_id = ${tenantId} and deletion = ${deletion}
          and deleted_at >= ${restorableSince}
      )
    `;
  });
  await db.run(sql.nothing`with ${sql.join(restored, ', ')} select`);
}

/** The oldest deletion that can be restored: a part of an older one may be gone for good. */
export const restorableSince = sql.fragment`now() - make_interval(hours => ${constants.purgeDays * 24})`;

/** Whether a row names the record `r` by a reference. */
function naming({ from, field }: Reference): Fragment {
  return sql.fragment`exists (
    select from ${tableOf(from)} c
    where c.tenant_id = r.tenant_id and ${sql.identifier(['c', field])} = r.id
  )`;
}

/**
 * Takes purged records from the rows of a table that still name them. A row may name several, in
 * several fields; Postgres changes it once in a statement, so all its fields change together.
 */
function release(from: RecordType, fields: readonly string[]): Fragment {
  const isOld = (field: string) => sql.fragment`exists (
    select from old where old.tenant_id = c.tenant_id and old.id = ${sql.identifier(['c', field])}
  )`;
  const cleared = fields.map((field) => {
    const column = sql.identifier([field]);
    return sql.fragment`${column} = case when not ${isOld(field)} then c.${column} end`;
  });
  return sql.fragment`
    , ${sql.identifier([`released_${from.table}`])} as (
      update ${tableOf(from)} c set ${sql.join(cleared, ', ')}
      where c.tenant_id in (select tenant_id from old)
        and (${sql.join(fields.map(isOld), ' or ')})
    )
  `;
}

/**
 * Removes records of one collection for good that were deleted more than `purgeDays` ago, at most
 * `removalBatch`, and returns how many they were. A record stays while one that cannot be without it is
 * there. Readers see no difference: deleted records have not been shown since.
 */
export async function purgeDeleted(db: Db, collection: Collection): Promise<number> {
  const record = records[collection];
  const references = referencesTo(record);
  const cascades = references.filter(({ options }) => options.onDelete === 'cascade');
  const detached = groupBy(
    references.filter(({ options }) => options.onDelete === 'detach'),
    ({ from }) => from,
  );
  const unnamed = cascades.map((reference) => sql.fragment`and not ${naming(reference)}`);
  return db.run(sql.nothing`
    with old as (
      select r.tenant_id, r.id from ${tableOf(record)} r
      where r.deleted_at < ${restorableSince} ${sql.join(unnamed, ' ')}
      order by r.deleted_at limit ${constants.removalBatch} for update skip locked
    ) ${sql.join(
      Array.from(detached, ([from, fields]) =>
        release(
          from,
          fields.map(({ field }) => field),
        ),
      ),
      ' ',
    )}
    delete from ${tableOf(record)} r using old where r.tenant_id = old.tenant_id and r.id = old.id
  `);
}
