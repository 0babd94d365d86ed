import { type Db, sql } from '../../postgres/sql.ts';

/**
 * Locks a tenant's users until the transaction ends. Other calls wait, and so does a sign-in.
 * The tenant's menu can be changed meanwhile, and its users' sessions and tokens go on.
 */
export async function lockUsers(db: Db, tenantId: number): Promise<void> {
  await db.run(sql.nothing`
    select from users where tenant_id = ${tenantId} order by id for no key update
  `);
}
