import { type Db, type Fragment, sql } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { type Collection, type Reference, records, referencesTo } from '../../schema/registry.ts';
import { tableOf } from './record-columns.ts';

/** The oldest deletion that can be restored: a part of an older one may be gone for good. */
export const restorableSince = sql.fragment`now() - make_interval(hours => ${constants.purgeDays * 24})`;

/** Whether a row names the record `r` by a reference. */
function naming({ from, field }: Reference): Fragment {
  return sql.fragment`exists (
    select from ${tableOf(from)} c
    where c.tenant_id = r.tenant_id and ${sql.identifier(['c', field])} = r.id
  )`;
}

/** Takes a purged record from the rows that still name it. */
function release({ from, field }: Reference): Fragment {
  const column = sql.identifier([field]);
  return sql.fragment`
    , ${sql.identifier([`released_${from.table}`])} as (
      update ${tableOf(from)} c set ${column} = null from old
      where c.tenant_id = old.tenant_id and ${sql.identifier(['c', field])} = old.id
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
  const detached = references.filter(({ options }) => options.onDelete === 'detach');
  const unnamed = cascades.map((reference) => sql.fragment`and not ${naming(reference)}`);
  return db.run(sql.nothing`
    with old as (
      select r.tenant_id, r.id from ${tableOf(record)} r
      where r.deleted_at < ${restorableSince} ${sql.join(unnamed, ' ')}
      order by r.deleted_at limit ${constants.removalBatch} for update skip locked
    ) ${sql.join(detached.map(release), ' ')}
    delete from ${tableOf(record)} r using old where r.tenant_id = old.tenant_id and r.id = old.id
  `);
}
