import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import { bindJobTransaction } from '../../db/queue/boss.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Running } from '../../db/runtime/running.ts';
import { type ClockJob, queues } from '../../db/schema/queues.ts';
import { findDueTenants } from '../../db/sql/clock.ts';
import { type GoesOn, startRounds } from '../housekeeping/rounds.ts';
import { publishDue } from './publish-due.ts';

/** Sends a job for each tenant with due changes, one at most, and returns whether there are any. */
async function sendJobs(db: Db, boss: PgBoss, limit: number, goesOn: GoesOn): Promise<boolean> {
  let after = 0;
  let due: readonly number[];
  do {
    due = await findDueTenants(db, after, limit);
    const jobs = due.map((tenant_id) => ({
      data: { tenant_id },
      singletonKey: String(tenant_id),
    }));
    if (jobs.length > 0) await boss.insert(queues.clock, jobs);
    after = due.at(-1) ?? after;
  } while (due.length === limit && goesOn());
  return after > 0;
}

/**
 * Publishes changes at their moments. Every worker looks for such restaurants each
 * `clockInterval`; what became due while none ran is found by the first that starts.
 */
export async function startClock(
  db: Db,
  boss: PgBoss,
  log: Logger,
  { clockTenantsPerBatch, clockInterval }: Constants,
): Promise<Running> {
  const workId = await boss.work<ClockJob, void, { transactional: true }>(
    queues.clock,
    { transactional: true },
    async ([job], transaction) => {
      if (!job) return;
      await publishDue(bindJobTransaction(transaction, job.signal), job.data.tenant_id);
      // There may be more.
      boss.notifyWorker(workId);
    },
  );
  return startRounds({
    what: 'the clock',
    interval: clockInterval,
    firstAfter: 0,
    round: async (goesOn) => {
      const isAny = await sendJobs(db, boss, clockTenantsPerBatch, goesOn);
      if (isAny) boss.notifyWorker(workId);
    },
    log,
  });
}
