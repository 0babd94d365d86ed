import type { Db } from '../../db/postgres/sql.ts';
import {
  forgetAccountLinks,
  forgetChallenges,
  forgetScreenCodes,
  forgetSessions,
  forgetSignInAttempts,
} from '../../db/sql/retention.ts';
import { type GoesOn, removeAll } from './rounds.ts';

/**
 * One round: deletes sessions and windows of sign-ins that are over, of all restaurants. Any number of
 * workers may do this at once.
 */
export async function purgeAccess(db: Db, goesOn: GoesOn): Promise<void> {
  const kinds = [
    ...[forgetSessions, forgetSignInAttempts, forgetAccountLinks, forgetChallenges],
    forgetScreenCodes,
  ];
  for (const forget of kinds) {
    await removeAll(() => forget(db), goesOn);
  }
}
