import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';

/**
 * The key of an account or a client in `sign_in_attempts`: a hash that only this database can
 * make.
 *
 * @param name an e-mail address in lower case, or a client's network
 */
export function signInKey(name: string) {
  return sql.fragment`
    (select sha256(secret || convert_to(${name}, 'UTF8')) from sign_in_secret)
  `;
}

const windowSchema = v.object({
  count: v.number(),
  /** Until it is over, in ms. */
  remaining: v.number(),
});

/** Whose attempts are counted together. */
export interface AttemptKey {
  tenantId: number;
  kind: 'account' | 'address' | 'screen';
  /** An e-mail address in lower case, a client's network, or who guesses letters of screens. */
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

/**
 * After a sign-in that succeeded: the account's attempts are forgotten, and the address gets back
 * the one that this sign-in was counted as.
 */
export async function forgiveSignInAttempts(
  db: Db,
  tenantId: number,
  account: string,
  address: string,
): Promise<void> {
  await db.run(sql.nothing`
    with forgotten as (
      delete from sign_in_attempts
      where tenant_id = ${tenantId} and kind = 'account' and key = ${signInKey(account)}
    )
    update sign_in_attempts set count = greatest(count - 1, 0)
    where tenant_id = ${tenantId} and kind = 'address' and key = ${signInKey(address)}
  `);
}
