import { type Db, sql } from '../../postgres/sql.ts';
import type { RecordType, Row } from '../../schema/record.ts';
import { referencesFrom } from '../../schema/registry.ts';
import { groupByColumns, inPortions } from './group-by-columns.ts';
import { tableOf, toColumns } from './record-columns.ts';

/**
 * Inserts records of one kind, in a statement for each portion and set of columns.
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
  // A sub-section may stand before the section that it names: one statement has both.
  const namesItsKind = referencesFrom(record).some(({ to }) => to === record);
  for (const portion of namesItsKind ? [rows] : inPortions(rows)) {
    for (const { columns, group } of groupByColumns(portion.map((row) => toColumns(record, row)))) {
      await db.run(sql.nothing`
        insert into ${table} (tenant_id, ${columns})
        select ${tenantId}, ${columns}
        from jsonb_populate_recordset(null::${table}, ${JSON.stringify(group)}::jsonb)
      `);
    }
  }
}
