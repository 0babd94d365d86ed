import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import { DUE, dueJobId, sendDueJobs } from '../../db/queue/restaurant-jobs.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Running } from '../../db/runtime/running.ts';
import { findDueTenants } from '../../db/sql/clock.ts';
import { hasWaiting } from '../../db/sql/jobs.ts';
import type { LookShares } from '../housekeeping/look-shares.ts';
import { type GoesOn, startRounds } from '../housekeeping/rounds.ts';

interface ClockOptions {
  db: Db;
  boss: PgBoss;
  shares: LookShares;
  log: Logger;
  constants: Pick<Constants, 'clockInterval' | 'clockTenantsPerBatch'>;
}

/** Pause between two looks whether jobs still wait, in ms. */
const LOOK_AGAIN = 25;

/**
 * Resolves when workers have taken the jobs, or after `clockInterval`. It does not wait for those that
 * went back into the queue as slow.
 */
async function untilTaken(
  { db, constants }: ClockOptions,
  tenantIds: readonly number[],
  goesOn: GoesOn,
): Promise<void> {
  const until = performance.now() + constants.clockInterval;
  const ids = tenantIds.map(dueJobId);
  do await sleep(LOOK_AGAIN);
  while (goesOn() && (await hasWaiting(db, ids, DUE)) && performance.now() < until);
}

/**
 * Sends the jobs of all restaurants for which something is due, a few at a time: pg-boss looks at all
 * that wait for each job that it hands out, those of writes among them.
 */
async function sendAllDue(options: ClockOptions, goesOn: GoesOn): Promise<void> {
  const { db, boss, constants } = options;
  const limit = constants.clockTenantsPerBatch;
  let after = 0;
  for (;;) {
    const due = await findDueTenants(db, after, limit);
    await sendDueJobs(boss, due);
    if (due.length < limit || !goesOn()) return;
    await untilTaken(options, due, goesOn);
    after = due.at(-1) ?? after;
  }
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
