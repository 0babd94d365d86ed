import type { Db } from '../../db/postgres/connection.ts';
import { purgeOrder } from '../../db/schema/registry.ts';
import { forgetSealedTokens } from '../../db/sql/access/forget-sealed-tokens.ts';
import { purgeDeleted } from '../../db/sql/menu/purge-deleted.ts';
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
  for (const collection of purgeOrder()) {
    await removeAll(() => purgeDeleted(db, collection), goesOn);
  }
  await removeAll(() => forgetWrites(db), goesOn);
  await removeAll(() => forgetSealedTokens(db), goesOn);
}
