import * as v from 'valibot';
import type { Database } from '../../postgres/connection.ts';
import { sql } from '../../postgres/sql.ts';
import type { NewUser } from './create-user.ts';
import { signInKey } from './sign-in-key.ts';

/**
 * Gives a panel user another password, ends the user's sessions and forgets the failed sign-ins that
 * keep the user out; what the user has made stays. False when the tenant has no such user.
 */
export function setPassword(database: Database, user: NewUser): Promise<boolean> {
  return database.transaction(async (db) => {
    const { tenantId } = user;
    const email = user.email.toLowerCase();
    const id = await db.maybeOne(sql.value(v.number())`
      update users set password_hash = ${user.passwordHash}
      where tenant_id = ${tenantId} and email = ${email}
      returning id
    `);
    if (id === null) return false;
    // A statement of its own: it sees the session of a sign-in for which the first one had to wait.
    await db.run(sql.nothing`
      delete from sessions where tenant_id = ${tenantId} and user_id = ${id}
    `);
    await db.run(sql.nothing`
      delete from sign_in_attempts
      where tenant_id = ${tenantId} and kind = 'account' and key = ${signInKey(email)}
    `);
    return true;
  });
}
