import { type Db, sql } from '../../postgres/connection.ts';
import type { RecordType, Row } from '../../schema/record.ts';
import { groupByColumns } from './group-by-columns.ts';
import { tableOf, toColumns } from './record-columns.ts';

/**
 * Inserts records of one kind, in a statement for each set of columns.
 *
 * @param rows checked bodies with the ids that the records get (`reserveIds`)
 */
export async function insertRecords(
  db: Db,
  record: RecordType,
  tenantId: number,
  rows: readonly Row[],
): Promise<void> {
  const table = tableOf(record);
  for (const { columns, group } of groupByColumns(rows.map((row) => toColumns(record, row)))) {
    await db.run(sql.typeAlias('nothing')`
      insert into ${table} (tenant_id, ${columns})
      select ${tenantId}, ${columns}
      from jsonb_populate_recordset(null::${table}, ${JSON.stringify(group)}::jsonb)
    `);
  }
}
