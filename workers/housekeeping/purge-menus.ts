import type { Db } from '../../db/postgres/sql.ts';
import { purgeOrder } from '../../db/schema/registry.ts';
import { purgeDeleted } from '../../db/sql/deletions.ts';
import { forgetPeopleLog, forgetVersions, forgetWrites } from '../../db/sql/retention.ts';
import { type GoesOn, removeAll } from './rounds.ts';

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
  await removeAll(() => forgetVersions(db, historyDays), goesOn);
  await removeAll(() => forgetPeopleLog(db, historyDays), goesOn);
}
