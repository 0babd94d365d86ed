import type { Db } from '../../db/postgres/connection.ts';
import { forgetSealedTokens } from '../../db/sql/access/forget-sealed-tokens.ts';
import { PURGED_TABLES, purgeDeleted } from '../../db/sql/menu/purge-deleted.ts';
import { forgetWrites } from '../../db/sql/writes/forget-writes.ts';
import type { GoesOn } from './rounds.ts';

/** Calls `removeBatch` until it finds nothing: a section goes only after those below it. */
async function removeAll(removeBatch: () => Promise<number>, goesOn: GoesOn): Promise<void> {
  while (goesOn() && (await removeBatch()) > 0);
}

/**
 * One round: purges records that were deleted `purgeDays` ago, and forgets the results of writes and
 * the values of new tokens whose time is over. Any number of workers may do this at once.
 */
export async function purgeMenus(db: Db, goesOn: GoesOn): Promise<void> {
  for (const table of PURGED_TABLES) {
    await removeAll(() => purgeDeleted(db, table), goesOn);
  }
  await removeAll(() => forgetWrites(db), goesOn);
  await removeAll(() => forgetSealedTokens(db), goesOn);
}
