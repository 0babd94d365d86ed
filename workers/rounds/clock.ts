import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import { sendDueJobs } from '../../db/queue/restaurant-jobs.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Running } from '../../db/runtime/running.ts';
import { findDueTenants } from '../../db/sql/clock.ts';
import type { LookShares } from '../housekeeping/look-shares.ts';
import { type GoesOn, startRounds } from '../housekeeping/rounds.ts';

interface ClockOptions {
  db: Db;
  boss: PgBoss;
  shares: LookShares;
  log: Logger;
  constants: Pick<Constants, 'clockInterval' | 'clockTenantsPerBatch'>;
}

/** Sends the jobs of all restaurants for which something is due. */
async function sendAllDue({ db, boss, constants }: ClockOptions, goesOn: GoesOn): Promise<void> {
  const limit = constants.clockTenantsPerBatch;
  let after = 0;
  let due: readonly number[];
  do {
    due = await findDueTenants(db, after, limit);
    await sendDueJobs(boss, due);
    after = due.at(-1) ?? after;
  } while (due.length === limit && goesOn());
}

/**
 * Gives restaurants turns at the moments at which something changes on its own. Workers share the looks
 * for them, one each `clockInterval`; what became due while none ran is found by the first that starts.
 */
export function startClock(options: ClockOptions): Running {
  return startRounds({
    what: 'the clock',
    interval: options.constants.clockInterval,
    firstAfter: 0,
    round: (goesOn) => sendAllDue(options, goesOn),
    shares: options.shares,
    log: options.log,
  });
}
