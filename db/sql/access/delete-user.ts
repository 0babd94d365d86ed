import { type Db, sql } from '../../postgres/sql.ts';

/** Deletes a panel user and with it its tokens; false when the tenant has no such user. */
export async function deleteUser(db: Db, tenantId: number, email: string): Promise<boolean> {
  const deleted = await db.run(sql.nothing`
    delete from users where tenant_id = ${tenantId} and email = lower(${email})
  `);
  return deleted === 1;
}
