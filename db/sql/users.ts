import * as v from 'valibot';
import type { Database } from '../postgres/connection.ts';
import { type Db, sql } from '../postgres/sql.ts';
import { signInKey } from './sign-in-attempts.ts';

interface NewUser {
  tenantId: number;
  email: string;
  /** As `hashPassword` makes it. */
  passwordHash: string;
}

/** Inserts a panel user and returns its id, or null when the tenant has one with this address. */
export function createUser(db: Db, user: NewUser): Promise<number | null> {
  return db.maybeOne(sql.value(v.number())`
    insert into users (tenant_id, email, password_hash)
    values (${user.tenantId}, lower(${user.email}), ${user.passwordHash})
    on conflict (tenant_id, email) do nothing
    returning id
  `);
}

const userSchema = v.object({ id: v.number(), email: v.string(), password_hash: v.string() });
export type User = v.InferOutput<typeof userSchema>;

/** The tenant's panel user with this address, in lower case, or null. */
export function findUser(db: Db, tenantId: number, email: string): Promise<User | null> {
  return db.maybeOne(sql.type(userSchema)`
    select id, email, password_hash from users
    where tenant_id = ${tenantId} and email = ${email}
  `);
}

const listedUserSchema = v.object({
  id: v.number(),
  email: v.string(),
  created_at: v.date(),
  active_tokens: v.number(),
});

/** The tenant's panel users in the order of their addresses. */
export function listUsers(db: Db, tenantId: number) {
  return db.any(sql.type(listedUserSchema)`
    select u.id, u.email, u.created_at, (
      select count(*)::int from tokens t
      where t.tenant_id = u.tenant_id and t.user_id = u.id and t.revoked_at is null
    ) as active_tokens
    from users u where u.tenant_id = ${tenantId}
    order by u.email
  `);
}

/**
 * Locks a tenant's users until the transaction ends. Other calls wait, and so does a sign-in.
 * The tenant's menu can be changed meanwhile, and its users' sessions and tokens go on.
 */
export async function lockUsers(db: Db, tenantId: number): Promise<void> {
  await db.run(sql.nothing`
    select from users where tenant_id = ${tenantId} order by id for no key update
  `);
}

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

/** Deletes a panel user and with it its tokens; false when the tenant has no such user. */
export async function deleteUser(db: Db, tenantId: number, email: string): Promise<boolean> {
  const deleted = await db.run(sql.nothing`
    delete from users where tenant_id = ${tenantId} and email = lower(${email})
  `);
  return deleted === 1;
}
