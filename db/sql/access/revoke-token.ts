import { type Db, sql } from '../../postgres/sql.ts';

/** Revokes a token for good; false when the tenant has no token with this id that is active. */
export async function revokeToken(db: Db, tenantId: number, id: number): Promise<boolean> {
  const revoked = await db.run(sql.nothing`
    update tokens set revoked_at = now()
    where tenant_id = ${tenantId} and id = ${id} and revoked_at is null
  `);
  return revoked === 1;
}
