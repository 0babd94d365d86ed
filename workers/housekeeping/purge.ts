import type { PgBoss } from 'pg-boss';
import type { Database } from '../../db/postgres/connection.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { sendWrites } from '../../db/queue/send-writes.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { DAY, dayOf } from '../../db/runtime/day.ts';
import { purgeOrder } from '../../db/schema/registry.ts';
import { newWrite } from '../../db/schema/write.ts';
import { purgeDeleted } from '../../db/sql/deletions.ts';
import { createPartitions, dropPartitions } from '../../db/sql/events.ts';
import { findOldestEventJob } from '../../db/sql/jobs.ts';
import { findUnusedPhotos, notePhotoUse } from '../../db/sql/photos.ts';
import {
  forgetContents,
  forgetDays,
  forgetDoneActions,
  forgetEventIds,
  forgetExpired,
  forgetFiles,
  forgetPeopleLog,
  forgetSalts,
  forgetSessions,
  forgetSignInAttempts,
  forgetUploads,
  forgetVersions,
  forgetWrites,
} from '../../db/sql/retention.ts';
import { type GoesOn, removeAll } from './rounds.ts';

/** Days for which partitions of events are created in advance, today included. */
const PARTITION_DAYS_AHEAD = 3;

/**
 * One round: makes partitions ahead, drops raw events and search texts beyond their retention, and
 * forgets salts, and the visitors and ids of days that no event can arrive for any more. Jobs that
 * still wait hold these back, however long a worker was away. Any number of workers may do this.
 *
 * @param retentionDays how long raw events and search texts are kept
 * @param now milliseconds since 1970
 * @param goesOn asked before each batch of what is deleted in batches
 */
export async function purgeEvents(
  db: Database,
  retentionDays: number,
  now: number,
  goesOn: GoesOn,
): Promise<void> {
  const days = constants.eventIdDays + PARTITION_DAYS_AHEAD;
  await createPartitions(
    db,
    Array.from({ length: days }, (_, i) => dayOf(now + (i - constants.eventIdDays) * DAY)),
  );
  // First, because it never waits. Partitions can be dropped only while no statement reads them.
  await removeAll(() => forgetSalts(db, now), goesOn);
  const firstKept = dayOf(now - retentionDays * DAY);
  await dropPartitions(db, 'analytics_events', firstKept);
  await removeAll(() => forgetDays(db, 'analytics_empty_searches', firstKept), goesOn);
  // Of yesterday, too, as a gateway's clock may be behind.
  const budgets = dayOf(now - DAY);
  await removeAll(() => forgetDays(db, 'event_budgets', budgets), goesOn);
  await removeAll(() => forgetDays(db, 'event_shares', budgets), goesOn);
  await removeAll(() => forgetDays(db, 'request_days', firstKept), goesOn);
  const oldest = await findOldestEventJob(db);
  const settled = dayOf(Math.min(now, oldest?.getTime() ?? now) - constants.eventIdDays * DAY);
  await dropPartitions(db, 'analytics_visits', settled);
  while (goesOn() && (await forgetEventIds(db, settled)) === constants.idsPerDeletion);
}

/**
 * One round: purges records that were deleted `purgeDays` ago, and forgets results of writes and
 * entries of the history whose time is over. Any number of workers may do this at once.
 *
 * @param historyDays how long entries of the history are kept
 */
export async function purgeMenus(db: Db, historyDays: number, goesOn: GoesOn): Promise<void> {
  for (const collection of purgeOrder()) {
    // A section goes only after those below it, so there may be more after a batch that is not full.
    while (goesOn() && (await purgeDeleted(db, collection)) > 0);
  }
  await removeAll(() => forgetWrites(db), goesOn);
  await removeAll(() => forgetDoneActions(db, 'done_actions'), goesOn);
  await removeAll(() => forgetDoneActions(db, 'platform_actions'), goesOn);
  await removeAll(() => forgetVersions(db, historyDays), goesOn);
  await removeAll(() => forgetPeopleLog(db, historyDays), goesOn);
}

/**
 * One round: deletes sessions, windows of sign-ins and former slugs that are over, of all
 * restaurants. Any number of workers may do this at once.
 */
export async function purgeAccess(db: Db, goesOn: GoesOn): Promise<void> {
  for (const forget of [forgetSessions, forgetSignInAttempts, ...forgetExpired]) {
    await removeAll(() => forget(db), goesOn);
  }
}

/** The write that deletes a photo, as an operator sends it. */
function deletionOf({ tenant_id, id: record_id }: { tenant_id: number; id: number }) {
  const deletion = { resource: 'photos', action: 'delete', record_id } as const;
  return newWrite({ tenant_id, token_id: 0, ...deletion }, `unused photo ${record_id}`);
}

/**
 * One round: deletes photos that nothing has named for `unusedPhotoDays`. It sends ordinary writes, so
 * they can be restored. Forgets unfinished uploads, and files of photos that are gone for good.
 */
export async function purgePhotos(db: Db, boss: PgBoss, goesOn: GoesOn, constants: Constants) {
  await notePhotoUse(db);
  const unused = await findUnusedPhotos(db);
  if (unused.length > 0) await sendWrites(boss, unused.map(deletionOf), () => false, constants);
  for (const forget of [forgetUploads, forgetFiles, forgetContents])
    await removeAll(() => forget(db), goesOn);
}
