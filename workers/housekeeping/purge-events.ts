import type { Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import { DAY, dayOf } from '../../db/runtime/day.ts';
import { findOldestEventJob } from '../../db/sql/jobs.ts';
import { createPartitions, dropPartitions } from '../../db/sql/partitions.ts';
import {
  forgetEmptySearches,
  forgetEventBudgets,
  forgetEventIds,
  forgetEventShares,
  forgetSalts,
} from '../../db/sql/retention.ts';
import { type GoesOn, removeAll } from './rounds.ts';

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
  const days = constants.eventIdDays + constants.partitionDaysAhead;
  await createPartitions(
    db,
    Array.from({ length: days }, (_, i) => dayOf(now + (i - constants.eventIdDays) * DAY)),
  );
  // First, because it never waits. Partitions can be dropped only while no statement reads them.
  await removeAll(() => forgetSalts(db, now), goesOn);
  const firstKept = dayOf(now - retentionDays * DAY);
  await dropPartitions(db, 'analytics_events', firstKept);
  await removeAll(() => forgetEmptySearches(db, firstKept), goesOn);
  // Of yesterday, too, as a gateway's clock may be behind.
  const budgets = dayOf(now - DAY);
  await removeAll(() => forgetEventBudgets(db, budgets), goesOn);
  await removeAll(() => forgetEventShares(db, budgets), goesOn);
  const oldest = await findOldestEventJob(db);
  const settled = dayOf(Math.min(now, oldest?.getTime() ?? now) - constants.eventIdDays * DAY);
  await dropPartitions(db, 'analytics_visits', settled);
  while (goesOn() && (await forgetEventIds(db, settled)) === constants.idsPerDeletion);
}
