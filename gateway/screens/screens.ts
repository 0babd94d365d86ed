import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { createKnownScreens, type KnownScreens } from './known-screens.ts';
import { createScreenContacts, type ScreenContacts } from './screen-contacts.ts';

/** The screens of all restaurants, as this gateway sees them. */
export interface Screens extends KnownScreens, ScreenContacts {}

/** @param now milliseconds since 1970 */
export function createScreens(
  db: Db,
  log: Logger,
  now: () => number,
  constants: Constants,
): Screens {
  return {
    ...createKnownScreens(db, now),
    ...createScreenContacts(db, log, now, constants),
  };
}
