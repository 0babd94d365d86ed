import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { isSessionAlive } from './create-session.ts';

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
      where tenant_id = ${tenantId} and hash = ${hash} and ${isSessionAlive}
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
