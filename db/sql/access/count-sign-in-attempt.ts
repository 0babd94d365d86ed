import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { signInKey } from './sign-in-key.ts';

const windowSchema = v.object({
  count: v.number(),
  /** Until it is over, in ms. */
  remaining: v.number(),
});

/** Whose attempts are counted together. */
export interface AttemptKey {
  tenantId: number;
  kind: 'account' | 'address';
  /** An e-mail address in lower case, or a client's network. */
  name: string;
}

/**
 * Counts an attempt to sign in before its outcome is known: attempts made at once are counted like
 * those made one after the other. Windows that are over are deleted. So is one that begins in the
 * future: Postgres' clock, which alone decides, was set back since.
 */
export function countSignInAttempt(db: Db, { tenantId, kind, name }: AttemptKey) {
  const length = sql.fragment`make_interval(secs => ${constants.signInWindow / 1_000})`;
  const isOver = sql.fragment`
    a.started_at not between now() - ${length} and now() + interval '1 minute'
  `;
  const key = signInKey(name);
  return db.one(sql.type(windowSchema)`
    with over as (
      select tenant_id, kind, key from sign_in_attempts a
      where tenant_id = ${tenantId} and ${isOver}
        and not (kind = ${kind} and key = ${key})
      limit ${constants.attemptsPerClearing}
      for update skip locked
    ), cleared as (
      delete from sign_in_attempts a using over o
      where a.tenant_id = o.tenant_id and a.kind = o.kind and a.key = o.key
    )
    insert into sign_in_attempts as a (tenant_id, kind, key, count, started_at)
    values (${tenantId}, ${kind}, ${key}, 1, now())
    on conflict (tenant_id, kind, key) do update set
      count = case when ${isOver} then 1 else a.count + 1 end,
      started_at = case when ${isOver} then excluded.started_at else a.started_at end
    returning count, (extract(epoch from started_at + ${length} - now()) * 1000)::float8 as remaining
  `);
}
