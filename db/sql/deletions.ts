import * as v from 'valibot';
import { type Db, type Fragment, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { groupBy } from '../runtime/group-by.ts';
import { parentsFirst } from '../runtime/parents-first.ts';
import type { RecordType } from '../schema/record.ts';
import { purgeOrder, type Reference, records, referencesTo } from '../schema/registry.ts';
import { COLLECTIONS, type Collection, resourceSchema } from '../schema/values/resource.ts';
import { columnsOf, idsOf, tableOf } from './record-columns.ts';

/**
 * Takes a type from those dishes of other sections that have it and do not show it: they are
 * deleted, or were moved while the type was.
 */
export async function detachDishes(db: Db, tenantId: number, typeId: number, sectionId: number) {
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

/** The oldest deletion that can be restored: a part of an older one may be gone for good. */
export const restorableSince = sql.fragment`now() - make_interval(hours => ${constants.purgeDays * 24})`;

/** A deleted record as menus store it; its references may name deleted records. */
const foundSchema = v.object({
  resource: v.picklist(COLLECTIONS),
  row: v.looseObject({ id: v.number() }),
});

/**
 * The records that were deleted together with one, each after those that it names; none when that was
 * so long ago that a part may be purged.
 */
export async function findDeletion(db: Db, collection: Collection, tenantId: number, id: number) {
  const deletion = sql.fragment`(
    select deletion from ${tableOf(records[collection])}
    where tenant_id = ${tenantId} and id = ${id}
  )`;
  const lists = purgeOrder().toReversed();
  const parts = lists.map((one, place) => {
    const record = records[one];
    return sql.fragment`
      select ${place}::int as place, ${one} as resource, row_to_json(x) as row from (
        select ${columnsOf(record, 'r', true)} from ${tableOf(record)} r
        where r.tenant_id = ${tenantId} and r.deletion = ${deletion}
          and r.deleted_at >= ${restorableSince}
      ) x
    `;
  });
  const found = await db.any(sql.type(foundSchema)`
    select resource, row from (${sql.join(parts, ' union all ')}) p order by place, (row->>'id')::int
  `);
  const deleted = found.map(({ resource, row }) => ({
    resource,
    row: v.parse(records[resource].stored, row),
  }));
  // A section may have been moved into a later one.
  const sections = new Map(
    deleted.flatMap((one) => (one.resource === 'categories' ? [[one.row.id, one] as const] : [])),
  );
  return [
    ...parentsFirst([...sections.values()], ({ row }) => sections.get(Number(row.parent_id))),
    ...deleted.filter(({ resource }) => resource !== 'categories'),
  ];
}

/** The records with these keys that were deleted last and can be restored. */
export async function findDeletedByKey(
  db: Db,
  collection: Collection,
  tenantId: number,
  keys: readonly string[],
) {
  const record = records[collection];
  const found = await db.any(sql.type(foundSchema)`
    select ${collection} as resource, row_to_json(x) as row from (
      select distinct on (r.external_id) ${columnsOf(record, 'r', true)} from ${tableOf(record)} r
      where r.tenant_id = ${tenantId} and r.external_id = any(${sql.array(keys, 'text')})
        and r.deleted_at >= ${restorableSince}
      order by r.external_id, r.deleted_at desc
    ) x
  `);
  return found.map(({ row }) => ({ resource: collection, row: v.parse(record.stored, row) }));
}

const hiddenSchema = v.object({
  resource: resourceSchema,
  id: v.number(),
  field: v.string(),
  /** The value of the field, which may name other records, too. */
  to: v.unknown(),
});
/** A reference to a deleted record, which is kept and not shown. */
export type HiddenReference = Omit<v.InferOutput<typeof hiddenSchema>, 'resource'> & {
  from: v.InferOutput<typeof resourceSchema>;
};

/**
 * The records that are there and name deleted ones, which they do not show.
 *
 * @param ids of the deleted ones, all of one kind
 */
export async function findHiddenReferences(
  db: Db,
  record: RecordType,
  tenantId: number,
  ids: readonly number[],
): Promise<HiddenReference[]> {
  const detached = referencesTo(record).filter(({ options }) => options.onDelete === 'detach');
  if (detached.length === 0) return [];
  const parts = detached.map((reference) => {
    const { from, field, isSingle, options } = reference;
    const { within } = options;
    const own = sql.identifier(['r', field]);
    const id = sql.identifier(['r', from.isSingleton ? 'tenant_id' : 'id']);
    const alike = within
      ? sql.fragment`and ${sql.identifier(['r', within])} = ${sql.identifier(['n', within])}`
      : sql.fragment``;
    const isThere = from.isSingleton ? sql.fragment`` : sql.fragment`and r.deleted_at is null`;
    const shown = sql.fragment`
      ${from.resource} as resource, ${id} as id, ${field} as field, to_jsonb(${own}) as to
    `;
    if (!isSingle) {
      return sql.fragment`
        select ${shown} from ${tableOf(from)} r where r.tenant_id = ${tenantId} ${isThere}
          and ${sql.array(ids, 'int4')} && array(${idsOf(reference)})
      `;
    }
    return sql.fragment`
      select ${shown}
      from ${tableOf(from)} r join ${tableOf(record)} n on n.tenant_id = r.tenant_id and n.id = ${own}
      where r.tenant_id = ${tenantId} and ${own} = any (${sql.array(ids, 'int4')}) ${alike} ${isThere}
    `;
  });
  const found = await db.any(sql.type(hiddenSchema)`${sql.join(parts, ' union all ')}`);
  return found.map(({ resource, ...one }) => ({ from: resource, ...one }));
}

/** Whether a row names the record `r` by a reference. */
export function naming({ from, field }: Reference): Fragment {
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
  // Not `exists`, which would go through all purged records for each row.
  const isOld = (field: string) => sql.fragment`
    (c.tenant_id, ${sql.identifier(['c', field])}) in (select tenant_id, id from old)
  `;
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
    references.filter(({ options, isSingle }) => isSingle && options.onDelete === 'detach'),
    ({ from }) => from,
  );
  const unnamed = cascades.map((reference) => sql.fragment`and not ${naming(reference)}`);
  return db.count(sql.nothing`
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
