import { type Db, sql } from '../../postgres/sql.ts';

/** Ends the tenant's session with this hash; harmless when there is none. */
export async function deleteSession(db: Db, tenantId: number, hash: Buffer): Promise<void> {
  await db.run(sql.nothing`
    delete from sessions where tenant_id = ${tenantId} and hash = ${hash}
  `);
}
