import { type Db, sql } from '../postgres/connection.ts';
import type { NewUser } from './create-user.ts';

/**
 * Gives a panel user another password and ends the user's sessions; what the user has made stays.
 * False when the tenant has no such user.
 */
export async function setPassword(db: Db, user: NewUser): Promise<boolean> {
  const changed = await db.run(sql.typeAlias('nothing')`
    with changed as (
      update users set password_hash = ${user.passwordHash}
      where tenant_id = ${user.tenantId} and email = lower(${user.email})
      returning tenant_id, id
    ), ended as (
      delete from sessions s using changed c where s.tenant_id = c.tenant_id and s.user_id = c.id
    )
    select from changed
  `);
  return changed === 1;
}
