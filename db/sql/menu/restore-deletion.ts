import { type Db, sql } from '../../postgres/connection.ts';
import { restorableSince } from './purge-deleted.ts';

/**
 * Brings back everything that one deletion took away, and nothing else; nothing at all when that was so
 * long ago that a part may be purged.
 */
export async function restoreDeletion(db: Db, tenantId: number, deletion: string): Promise<void> {
  const restored = sql.fragment`
    set deleted_at = null, deletion = null, updated_at = now()
    where tenant_id = ${tenantId} and deletion = ${deletion}
      and deleted_at >= ${restorableSince}
  `;
  await db.run(sql.typeAlias('nothing')`
    with restored_sections as (update sections ${restored}),
      restored_types as (update types ${restored}),
      restored_wineries as (update wineries ${restored})
    update dishes ${restored}
  `);
}
