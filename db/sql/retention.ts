import { type Db, type Fragment, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { saltHorizon } from './events.ts';
import { sessionEnds } from './sessions.ts';

// Statements that delete old rows. A call deletes at most a batch and returns the number of its rows,
// so that workers can share the work.

function deleteBatch(
  db: Db,
  table: string,
  isOver: Fragment,
  limit: number = constants.removalBatch,
): Promise<number> {
  const from = sql.identifier([table]);
  return db.count(sql.nothing`
    delete from ${from} where ctid = any (array(
      select ctid from ${from} where ${isOver} limit ${limit} for update skip locked
    ))
  `);
}

/**
 * Sessions that are over, in a batch of each kind of end. The order leads Postgres to the indexes: it
 * takes the two kinds of sessions for equally old, and would read all of them.
 */
export function forgetSessions(db: Db): Promise<number> {
  const batches = sessionEnds.map(
    ({ by, isOver }) => sql.fragment`array(
      select ctid from sessions where ${isOver}
      order by ${by} limit ${constants.removalBatch} for update skip locked
    )`,
  );
  return db.count(sql.nothing`
    delete from sessions where ctid = any (${sql.join(batches, ' || ')})
  `);
}

/** Links, challenges of passkeys, letters of screens and former slugs that are valid no more. */
export const forgetExpired = ['account_links', 'passkey_challenges', 'screen_codes', 'hosts'].map(
  (table) => (db: Db) => deleteBatch(db, table, sql.fragment`expires_at < now()`),
);

/** A table with rows of days: budgets of events, clients' shares of them, searches, requests. */
type TableOfDays = 'event_budgets' | 'event_shares' | 'analytics_empty_searches' | 'request_days';

/** Rows of the days before `day`, `YYYY-MM-DD`. */
export function forgetDays(db: Db, table: TableOfDays, day: string): Promise<number> {
  return deleteBatch(db, table, sql.fragment`day < ${day}::date`);
}

/** Results of actions, of restaurants or of the platform's API, that are older than `resultHours`. */
export function forgetDoneActions(db: Db, table: 'done_actions' | 'platform_actions') {
  const { resultHours } = constants;
  return deleteBatch(db, table, sql.fragment`at < now() - make_interval(hours => ${resultHours})`);
}

/** Uploads that no worker has finished in `uploadHours`. */
export function forgetUploads(db: Db) {
  const { uploadHours } = constants;
  const isOver = sql.fragment`created_at < now() - make_interval(hours => ${uploadHours})`;
  return deleteBatch(db, 'photo_uploads', isOver);
}

/** Files that no photo has any more, deleted ones that can be restored included. */
export function forgetFiles(db: Db) {
  const isOver = sql.fragment`created_at < now() - interval '1 day' and not exists (
    select from photos p
    where p.tenant_id = photo_files.tenant_id and p.external_id = photo_files.digest
  )`;
  return deleteBatch(db, 'photo_files', isOver);
}

/** Bytes that no file has any more. */
export function forgetContents(db: Db) {
  const isOver = sql.fragment`not exists (
    select from photo_files f where f.content_id = photo_contents.id
  )`;
  return deleteBatch(db, 'photo_contents', isOver);
}

/** Actions on people that are older than `days`. */
export function forgetPeopleLog(db: Db, days: number): Promise<number> {
  return deleteBatch(db, 'people_log', sql.fragment`at < now() - make_interval(days => ${days})`);
}

/**
 * Windows of failed sign-ins that are over. So is one that begins in the future: Postgres' clock was
 * set back.
 */
export function forgetSignInAttempts(db: Db): Promise<number> {
  const length = sql.fragment`make_interval(secs => ${constants.signInWindow / 1_000})`;
  const isOver = sql.fragment`
    started_at not between now() - ${length} and now() + interval '1 minute'
  `;
  return deleteBatch(db, 'sign_in_attempts', isOver);
}

/** Ids of events that were remembered before `day`, `YYYY-MM-DD`. */
export function forgetEventIds(db: Db, day: string): Promise<number> {
  const isOver = sql.fragment`seen_on < ${day}::date`;
  return deleteBatch(db, 'analytics_event_ids', isOver, constants.idsPerDeletion);
}

/** Salts that are to be forgotten (`isForgotten`). */
export function forgetSalts(db: Db, now: number): Promise<number> {
  const { day, createdAt } = saltHorizon(now);
  const isOver = sql.fragment`
    day < ${day}::date and created_at < ${createdAt.toISOString()}::timestamptz
  `;
  return deleteBatch(db, 'analytics_salts', isOver);
}

/**
 * Finished writes, and with them their results and idempotency keys: those that ended in an unexpected
 * error after `faultHours`, all others after `resultHours`.
 */
export function forgetWrites(db: Db): Promise<number> {
  const { resultHours, faultHours, removalBatch } = constants;
  return db.count(sql.nothing`
    with old as (
      select tenant_id, id from writes
      where finished_at < now() - make_interval(hours => ${resultHours})
        and (outcome->>'kind' is distinct from 'failed'
          or finished_at < now() - make_interval(hours => ${faultHours}))
      order by finished_at limit ${removalBatch} for update skip locked
    )
    delete from writes w using old where w.tenant_id = old.tenant_id and w.id = old.id
  `);
}

/**
 * Entries of the history that are older than `days`, the oldest first, but for those of present
 * versions. A history never has a gap: all entries before one that goes, go with it.
 */
export function forgetVersions(db: Db, days: number): Promise<number> {
  return db.count(sql.nothing`
    with old as (
      select v.tenant_id, v.version from versions v join tenants t on t.id = v.tenant_id
      where v.at < now() - make_interval(days => ${days}) and v.version < t.version
      order by v.at limit ${constants.removalBatch} for update of v skip locked
    ), ends as (
      select tenant_id, max(version) as version from old group by tenant_id
    )
    delete from versions v using ends e
    where v.tenant_id = e.tenant_id and v.version <= e.version
  `);
}
