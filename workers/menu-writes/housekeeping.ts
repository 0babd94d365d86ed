import type { Logger } from 'pino';
import { bounds } from '../../db/bounds.ts';
import type { Db } from '../../db/connection.ts';
import { forgetWrites } from '../../db/queries/forget-writes.ts';
import { PURGED_TABLES, purgeDeleted } from '../../db/queries/purge-deleted.ts';

/** Removes what has been deleted or finished long ago, in small batches. */
export interface Housekeeping {
  /** Resolves when a round under way has ended; harmless when repeated. */
  stop(): Promise<void>;
}

/** Calls `removeBatch` until it finds nothing: a section goes only after those below it. */
async function removeAll(removeBatch: () => Promise<number>, goesOn: () => boolean): Promise<void> {
  while (goesOn() && (await removeBatch()) > 0);
}

/**
 * One round: purges records that were deleted `purgeDays` ago, and forgets the results of writes
 * whose time is over. Any number of workers may do this at once.
 *
 * @param goesOn asked before each batch
 */
export async function keepHouse(db: Db, goesOn: () => boolean): Promise<void> {
  const { purgeDays, removalBatch, resultHours, faultHours } = bounds;
  for (const table of PURGED_TABLES) {
    await removeAll(() => purgeDeleted(db, table, purgeDays, removalBatch), goesOn);
  }
  await removeAll(() => forgetWrites(db, resultHours, faultHours, removalBatch), goesOn);
}

/** Does a round now and then. */
export function startMenuHousekeeping(db: Db, log: Logger): Housekeeping {
  let stopped = false;
  let round: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    round = keepHouse(db, () => !stopped).catch((error) => {
      log.error({ err: error }, 'housekeeping failed; it will be tried again');
    });
  }, bounds.housekeepingInterval);
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await round;
    },
  };
}
