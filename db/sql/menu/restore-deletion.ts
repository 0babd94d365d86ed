import { type Db, sql } from '../../postgres/sql.ts';
import { COLLECTIONS, records } from '../../schema/registry.ts';
import { restorableSince } from './purge-deleted.ts';
import { tableOf } from './record-columns.ts';

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
