import * as v from 'valibot';
import { type Database, sql } from '../postgres/connection.ts';
import type { NewUser } from './create-user.ts';

const changedSchema = v.object({ id: v.number() });

/**
 * Gives a panel user another password and ends the user's sessions; what the user has made stays.
 * False when the tenant has no such user.
 */
export function setPassword(db: Database, user: NewUser): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx.maybeOne(sql.type(changedSchema)`
      update users set password_hash = ${user.passwordHash}
      where tenant_id = ${user.tenantId} and email = lower(${user.email})
      returning id
    `);
    // A statement of its own: it sees the session of a sign-in for which the first one had to wait.
    await tx.run(sql.typeAlias('nothing')`
      delete from sessions where tenant_id = ${user.tenantId} and user_id = ${changed?.id ?? null}
    `);
    return changed !== null;
  });
}
