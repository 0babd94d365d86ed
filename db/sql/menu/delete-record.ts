import { type Db, type Fragment, sql } from '../../postgres/sql.ts';
import { type Collection, type Reference, records, referencesTo } from '../../schema/registry.ts';
import { tableOf } from './record-columns.ts';

/** Marks rows of a table as deleted. */
function markDeleted(
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
    const marked = markDeleted(tableOf(from), tenantId, deletion, which);
    return sql.fragment`, ${sql.identifier([`gone_${from.table}`])} as (${marked})`;
  };
  await db.run(sql.nothing`
    with recursive gone (id) as (select ${id}::integer ${below})
    ${sql.join(others.map(markOther), ' ')}
    ${markDeleted(table, tenantId, deletion, sql.fragment`id in (select id from gone)`)}
  `);
}
