import * as v from 'valibot';
import { type Db, sql } from '../../postgres/connection.ts';
import { isSessionAlive } from './create-session.ts';

const sessionSchema = v.object({
  user_id: v.number(),
  email: v.string(),
  /** The restaurant's, in which the panel writes dates. */
  timezone: v.string(),
});
export type Session = v.InferOutput<typeof sessionSchema>;

/**
 * The tenant's session with this hash, marked as used now; null when there is none or it is over.
 *
 * @param hash SHA-256 of the cookie's value
 */
export function useSession(db: Db, tenantId: number, hash: Buffer): Promise<Session | null> {
  return db.maybeOne(sql.type(sessionSchema)`
    with s as (
      update sessions set used_at = now()
      where tenant_id = ${tenantId} and hash = ${sql.binary(hash)} and ${isSessionAlive}
      returning tenant_id, user_id
    )
    select s.user_id, u.email, r.timezone
    from s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    join settings r on r.tenant_id = s.tenant_id
  `);
}
