import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { nextTry } from './webhook-turns.ts';

// Caches before the gateways, and up to when they know of new versions.

/** Begins to tell caches, from now on; harmless when repeated. */
export async function beginPurges(db: Db): Promise<void> {
  await db.run(sql.nothing`insert into purges default values on conflict do nothing`);
}

const staleSchema = v.object({ tenant_id: v.number(), version: v.number(), at: v.date() });
/** A restaurant with the last of its versions that caches may not know. */
export type StaleMenu = v.InferOutput<typeof staleSchema>;

/**
 * The restaurants with new versions since caches were told last, while the caller's transaction alone
 * tells them. Empty when another worker does, and in a pause after a failure.
 *
 * @param overlap ms before that moment: a transaction may have committed after one that began later
 */
export function takeStaleMenus(db: Db, overlap: number): Promise<readonly StaleMenu[]> {
  return db.any(sql.type(staleSchema)`
    with taken as materialized (
      select purged_until from purges where next_try_at <= now() for update skip locked
    )
    select tenant_id, max(version) as version, max(at) as at
    from taken join versions on at > purged_until - ${overlap} * interval '1 ms'
    group by tenant_id
  `);
}

/** Notes that caches know of all versions until a moment. */
export async function notePurges(db: Db, until: Date): Promise<void> {
  await db.run(sql.nothing`
    update purges set purged_until = greatest(purged_until, ${until.toISOString()}), failures = 0
  `);
}

/** Notes that caches could not be told: the next attempt comes after a pause, which doubles. */
export async function noteFailedPurge(db: Db, pauses: Parameters<typeof nextTry>[0]) {
  await db.run(sql.nothing`
    update purges set failures = failures + 1, next_try_at = ${nextTry(pauses)}
  `);
}
