import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Running } from '../../db/runtime/running.ts';
import { recordScreenContacts, type ScreenContact } from '../../db/sql/screens.ts';
import { createNoted } from '../runtime/noted.ts';
import { createKnownScreens, type KnownScreens } from './known-screens.ts';

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

/** Notes when screens were here, and what they showed: one row a screen, those of many in one write. */
interface ScreenContacts extends Running {
  note(contact: Omit<ScreenContact, 'at'>): void;
}

/** @param now milliseconds since 1970 */
export function createScreenContacts(
  db: Db,
  log: Logger,
  now: () => number,
  constants: Pick<Constants, 'screenContactInterval' | 'notesPerWrite'>,
): ScreenContacts {
  const { note, stop } = createNoted<ScreenContact>({
    write: (contacts) => recordScreenContacts(db, contacts),
    nameOf: ({ tenantId, id }) => `${tenantId}/${id}`,
    merge: (former, later) => ({
      ...later,
      version: later.version ?? former.version,
      size: later.size ?? former.size,
    }),
    interval: constants.screenContactInterval,
    maxItems: constants.notesPerWrite,
    what: 'when screens were here',
    log,
  });
  return { note: (contact) => note({ ...contact, at: new Date(now()) }), stop };
}
