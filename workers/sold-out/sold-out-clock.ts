import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { differenceInSteps } from '../../db/history/difference.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { bindJobTransaction } from '../../db/queue/job-transaction.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { Running } from '../../db/runtime/running.ts';
import { queues, type SoldOutJob } from '../../db/schema/queues.ts';
import { rebuildSnapshots } from '../../db/snapshot/rebuild.ts';
import { loadMenu } from '../../db/sql/menus.ts';
import { endSoldOut, findDueTenants } from '../../db/sql/sold-out.ts';
import { lockTenant } from '../../db/sql/tenants.ts';
import { bumpVersion } from '../../db/sql/versions.ts';
import { type GoesOn, startRounds } from '../housekeeping/rounds.ts';

/** Sends a job for each tenant that has due dishes, one at most, and returns whether there are any. */
async function sendJobs(db: Db, boss: PgBoss, limit: number, goesOn: GoesOn): Promise<boolean> {
  let after = 0;
  let due: readonly number[];
  do {
    due = await findDueTenants(db, after, limit);
    const jobs = due.map((tenant_id) => ({
      data: { tenant_id },
      singletonKey: String(tenant_id),
    }));
    if (jobs.length > 0) await boss.insert(queues.soldOutEnds, jobs);
    after = due.at(-1) ?? after;
  } while (due.length === limit && goesOn());
  return after > 0;
}

/** Makes the due dishes of a tenant available and publishes the menu, in the job's transaction. */
async function publishEnds(tx: Db, tenantId: number): Promise<void> {
  const tenant = await lockTenant(tx, tenantId, 'wait');
  // A write may have changed them meanwhile, and the tenant may be gone.
  if (!tenant) return;
  const before = await loadMenu(tx, tenantId);
  if ((await endSoldOut(tx, tenantId)) === 0) return;
  const after = await loadMenu(tx, tenantId);
  const changes = await inSlices(differenceInSteps(before, after), constants.writeSlice);
  const actor = { kind: 'clock', id: null } as const;
  await bumpVersion(tx, tenantId, { actor, origin: 'clock', jobId: null, changes });
  await rebuildSnapshots(tx, tenantId);
}

/**
 * Makes dishes available again when their time of being sold out is over. Every worker looks for such
 * dishes each `soldOutInterval`; what became due while none ran is found by the first that starts.
 */
export async function startSoldOutClock(
  db: Db,
  boss: PgBoss,
  log: Logger,
  { soldOutTenantsPerBatch, soldOutInterval }: Constants,
): Promise<Running> {
  const workId = await boss.work<SoldOutJob, void, { transactional: true }>(
    queues.soldOutEnds,
    { transactional: true },
    async ([job], transaction) => {
      if (!job) return;
      await publishEnds(bindJobTransaction(transaction, job.signal), job.data.tenant_id);
      // There may be more.
      boss.notifyWorker(workId);
    },
  );
  return startRounds({
    what: 'the clock of sold-out dishes',
    interval: soldOutInterval,
    firstAfter: 0,
    round: async (goesOn) => {
      const isAny = await sendJobs(db, boss, soldOutTenantsPerBatch, goesOn);
      if (isAny) boss.notifyWorker(workId);
    },
    log,
  });
}
