import { type Db, sql } from '../postgres/connection.ts';

/** Brings back everything that one deletion took away, and nothing else. */
export async function restoreDeletion(db: Db, tenantId: number, deletion: string): Promise<void> {
  const restored = sql.fragment`
    set deleted_at = null, deletion = null, updated_at = now()
    where tenant_id = ${tenantId} and deletion = ${deletion}
  `;
  await db.run(sql.typeAlias('nothing')`
    with restored_sections as (update sections ${restored}),
      restored_types as (update types ${restored}),
      restored_wineries as (update wineries ${restored})
    update dishes ${restored}
  `);
}
