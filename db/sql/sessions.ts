import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';

interface NewSession {
  tenantId: number;
  userId: number;
  /** That of the password by which the user has shown who it is. */
  passwordHash: string;
  /** SHA-256 of the cookie's value. */
  hash: Buffer;
}

/**
 * Whether a session lives, by Postgres' clock, for gateways' clocks may differ. One that has begun in
 * the future has not: that clock was set back since.
 */
export const isSessionAlive = sql.fragment`(
  created_at between now() - make_interval(secs => ${constants.sessionTtl / 1_000})
    and now() + interval '1 minute'
  and used_at > now() - make_interval(secs => ${constants.sessionIdleTtl / 1_000})
)`;

/**
 * Begins a session of a panel user, and clears away those of the tenant that are over. False when
 * the user has been deleted meanwhile, or the password changed: that ends every session, and one whose
 * password was still being checked would outlive it.
 */
export async function createSession(db: Db, session: NewSession): Promise<boolean> {
  const { tenantId, userId, passwordHash, hash } = session;
  const created = await db.run(sql.nothing`
    with over as (
      delete from sessions
      where tenant_id = ${tenantId} and not ${isSessionAlive}
    )
    insert into sessions (tenant_id, hash, user_id, created_at, used_at)
    select tenant_id, ${sql.binary(hash)}, id, now(), now()
    from users
    where tenant_id = ${tenantId} and id = ${userId} and password_hash = ${passwordHash}
    for share
  `);
  return created === 1;
}

const sessionSchema = v.object({
  user_id: v.number(),
  email: v.string(),
  /** The restaurant's, in which the panel writes dates. */
  timezone: v.string(),
});
export type Session = v.InferOutput<typeof sessionSchema>;

/**
 * The tenant's session with this hash; null when there is none or it is over. Its use is stored once a
 * minute, because a page that stores nothing waits for no disk.
 *
 * @param hash SHA-256 of the cookie's value
 */
export function useSession(db: Db, tenantId: number, hash: Buffer): Promise<Session | null> {
  return db.maybeOne(sql.type(sessionSchema)`
    with s as (
      select tenant_id, hash, user_id, used_at from sessions
      where tenant_id = ${tenantId} and hash = ${sql.binary(hash)} and ${isSessionAlive}
    ), used as (
      update sessions set used_at = now() from s
      where sessions.tenant_id = s.tenant_id and sessions.hash = s.hash
        and s.used_at < now() - make_interval(secs => ${constants.sessionUseInterval / 1_000})
    )
    select s.user_id, u.email, r.timezone
    from s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    join settings r on r.tenant_id = s.tenant_id
  `);
}

/** Ends the tenant's session with this hash; harmless when there is none. */
export async function deleteSession(db: Db, tenantId: number, hash: Buffer): Promise<void> {
  await db.run(sql.nothing`
    delete from sessions where tenant_id = ${tenantId} and hash = ${sql.binary(hash)}
  `);
}
