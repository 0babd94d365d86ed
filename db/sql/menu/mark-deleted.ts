import { type Db, sql } from '../../postgres/sql.ts';
import type { RecordType } from '../../schema/record.ts';
import { tableOf } from './record-columns.ts';

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
