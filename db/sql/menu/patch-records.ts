import { type Db, sql } from '../../postgres/sql.ts';
import type { RecordType, Row } from '../../schema/record.ts';
import { groupByColumns, inPortions } from './group-by-columns.ts';
import { tableOf, toColumns } from './record-columns.ts';

/**
 * Sets fields of records of one kind, in a statement for each portion and set of columns.
 *
 * @param rows the id of each record with the fields of a checked body
 */
export async function patchRecords(
  db: Db,
  record: RecordType,
  tenantId: number,
  rows: readonly (Row & { id: number })[],
): Promise<void> {
  const table = tableOf(record);
  for (const portion of inPortions(rows)) {
    const columns = portion.map(({ id, ...input }) => ({ id, ...toColumns(record, input) }));
    for (const { names, group } of groupByColumns(columns)) {
      const changed = names.filter((name) => name !== 'id');
      const changes = changed.map((name) => {
        const column = sql.identifier([name]);
        return sql.fragment`${column} = n.${column}`;
      });
      await db.run(sql.nothing`
        update ${table} u set ${sql.join(changes, ', ')}, updated_at = now()
        from jsonb_populate_recordset(null::${table}, ${JSON.stringify(group)}::jsonb) n
        where u.tenant_id = ${tenantId} and u.id = n.id
      `);
    }
  }
}

/** Takes the external ids of records away, so that others can have them in the same transaction. */
export async function freeExternalIds(
  db: Db,
  record: RecordType,
  tenantId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await db.run(sql.nothing`
    update ${tableOf(record)} set external_id = null
    where tenant_id = ${tenantId} and id = any (${sql.array(ids, 'int4')})
  `);
}
