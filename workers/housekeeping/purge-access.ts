import type { Db } from '../../db/postgres/sql.ts';
import {
  forgetAccountLinks,
  forgetChallenges,
  forgetFormerSlugs,
  forgetScreenCodes,
  forgetSessions,
  forgetSignInAttempts,
} from '../../db/sql/retention.ts';
import { type GoesOn, removeAll } from './rounds.ts';

/**
 * One round: deletes sessions, windows of sign-ins and former slugs that are over, of all
 * restaurants. Any number of workers may do this at once.
 */
export async function purgeAccess(db: Db, goesOn: GoesOn): Promise<void> {
  const kinds = [
    ...[forgetSessions, forgetSignInAttempts, forgetAccountLinks, forgetChallenges],
    ...[forgetScreenCodes, forgetFormerSlugs],
  ];
  for (const forget of kinds) {
    await removeAll(() => forget(db), goesOn);
  }
}
