import * as v from 'valibot';
import { bounds } from '../bounds.ts';
import { type Db, sql } from '../postgres/connection.ts';

const windowSchema = v.object({ count: v.number(), started_at: v.date() });
export type AttemptWindow = v.InferOutput<typeof windowSchema>;

/** Whose attempts are counted together. */
export interface AttemptKey {
  tenantId: number;
  kind: 'account' | 'address';
  /** As `signInKey` makes it. */
  key: Buffer;
}

/**
 * Counts an attempt to sign in before its outcome is known, so that attempts made at once are
 * counted as well as those made one after the other, and clears away windows that are over.
 *
 * @param startedAfter windows that started earlier are over
 */
export function countSignInAttempt(
  db: Db,
  { tenantId, kind, key }: AttemptKey,
  now: Date,
  startedAfter: Date,
): Promise<AttemptWindow> {
  const cutoff = sql.timestamp(startedAfter);
  return db.one(sql.type(windowSchema)`
    with over as (
      select tenant_id, kind, key from sign_in_attempts
      where tenant_id = ${tenantId} and started_at <= ${cutoff}
        and not (kind = ${kind} and key = ${sql.binary(key)})
      limit ${bounds.attemptsPerClearing}
      for update skip locked
    ), cleared as (
      delete from sign_in_attempts a using over o
      where a.tenant_id = o.tenant_id and a.kind = o.kind and a.key = o.key
    )
    insert into sign_in_attempts as a (tenant_id, kind, key, count, started_at)
    values (${tenantId}, ${kind}, ${sql.binary(key)}, 1, ${sql.timestamp(now)})
    on conflict (tenant_id, kind, key) do update set
      count = case when a.started_at <= ${cutoff} then 1 else a.count + 1 end,
      started_at =
        case when a.started_at <= ${cutoff} then excluded.started_at else a.started_at end
    returning count, started_at
  `);
}
