import * as v from 'valibot';
import { type Db, sql } from '../postgres/connection.ts';
import type { SessionLife } from './create-session.ts';

const sessionSchema = v.object({
  user_id: v.number(),
  email: v.string(),
  /** The restaurant's, in which the panel writes dates. */
  timezone: v.string(),
});
export type Session = v.InferOutput<typeof sessionSchema>;

export interface SessionUse extends SessionLife {
  tenantId: number;
  /** SHA-256 of the cookie's value. */
  hash: Buffer;
  now: Date;
}

/** The tenant's session with this hash, marked as used now; null when there is none or it is over. */
export function useSession(db: Db, use: SessionUse): Promise<Session | null> {
  return db.maybeOne(sql.type(sessionSchema)`
    update sessions s set used_at = greatest(s.used_at, ${sql.timestamp(use.now)})
    from users u, settings r
    where s.tenant_id = ${use.tenantId} and s.hash = ${sql.binary(use.hash)}
      and s.created_at > ${sql.timestamp(use.begunAfter)}
      and s.used_at > ${sql.timestamp(use.usedAfter)}
      and u.tenant_id = s.tenant_id and u.id = s.user_id
      and r.tenant_id = s.tenant_id
    returning s.user_id, u.email, r.timezone
  `);
}
