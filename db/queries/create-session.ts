import { type Db, sql } from '../postgres/connection.ts';

export interface NewSession {
  tenantId: number;
  userId: number;
  /** That of the password by which the user has shown who it is. */
  passwordHash: string;
  /** SHA-256 of the cookie's value. */
  hash: Buffer;
  now: Date;
}

/** Sessions that were begun or last used before these moments are over. */
export interface SessionLife {
  begunAfter: Date;
  usedAfter: Date;
}

/**
 * Begins a session of a panel user, and clears away those of the tenant that are over. False when
 * the user has been deleted meanwhile, or the password changed: that ends every session, and one whose
 * password was still being checked would outlive it.
 */
export async function createSession(
  db: Db,
  session: NewSession,
  life: SessionLife,
): Promise<boolean> {
  const { tenantId, userId, passwordHash, hash, now } = session;
  const created = await db.run(sql.typeAlias('nothing')`
    with over as (
      delete from sessions
      where tenant_id = ${tenantId} and (
        created_at <= ${sql.timestamp(life.begunAfter)}
        or used_at <= ${sql.timestamp(life.usedAfter)}
      )
    )
    insert into sessions (tenant_id, hash, user_id, created_at, used_at)
    select tenant_id, ${sql.binary(hash)}, id, ${sql.timestamp(now)}, ${sql.timestamp(now)}
    from users
    where tenant_id = ${tenantId} and id = ${userId} and password_hash = ${passwordHash}
    for share
  `);
  return created === 1;
}
