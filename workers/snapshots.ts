import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { publishVersion } from '../db/menu/new-version.ts';
import type { Db } from '../db/postgres/sql.ts';
import { bindJobTransaction, POLLING } from '../db/queue/boss.ts';
import type { Constants } from '../db/runtime/constants.ts';
import { inSlices } from '../db/runtime/in-slices.ts';
import { queues, type RebuildJob } from '../db/schema/queues.ts';
import { assembleInSteps } from '../db/snapshot/assemble.ts';
import { coldMenuOf } from '../db/snapshot/cold-menu.ts';
import { headIn } from '../db/snapshot/parts.ts';
import { decodeInSteps } from '../db/snapshot/template.ts';
import {
  claimMenusToCool,
  findChangedSnapshot,
  findOutdatedTenants,
  saveColdMenu,
} from '../db/sql/snapshots.ts';
import type { GoesOn } from './housekeeping/rounds.ts';

/** Menus that one statement claims. */
const MENUS_TO_COOL = 25;

/** Tenants whose rebuild one statement asks for. */
const REBUILDS_PER_BATCH = 1_000;

/**
 * Rebuilds the snapshots of tenants that an upgrade has left behind. Every worker looks for them
 * when it starts; the queue holds one job a tenant, so none is rebuilt twice.
 */
export async function startSnapshotRebuilds(db: Db, boss: PgBoss) {
  const work = { transactional: true, ...POLLING } as const;
  const workId = await boss.work<RebuildJob, void, typeof work>(
    queues.snapshotRebuilds,
    work,
    async ([job], transaction) => {
      if (!job) return;
      const tx = bindJobTransaction(transaction, job.signal);
      // It may have been deleted meanwhile.
      await publishVersion(tx, job.data.tenant_id);
      // The queue wakes its workers for new jobs only: there may be more of these.
      boss.notifyWorker(workId);
    },
  );
  let after = 0;
  let outdated: readonly number[];
  do {
    // After an upgrade they are all tenants.
    outdated = await findOutdatedTenants(db, after, REBUILDS_PER_BATCH);
    await boss.insert(
      queues.snapshotRebuilds,
      outdated.map((tenant_id) => ({ data: { tenant_id }, singletonKey: String(tenant_id) })),
    );
    after = outdated.at(-1) ?? after;
  } while (outdated.length === REBUILDS_PER_BATCH);
}

type CoolingConstants = Pick<Constants, 'coldAfter' | 'coolingPause'>;

/** Before every version. */
const FROM_THE_START = -1;

/** Of a worker that has time for what is not urgent: the most of a pause in which it worked. */
const MOST_BUSY = 0.3;
/** Pauses after which even a worker without time does some of it. */
const MOST_PAUSES = 25;

/** Resolves after a pause in which the worker had little to do, or after many of them. */
async function untilIdle(pause: number, goesOn: GoesOn): Promise<void> {
  for (let count = 0; count < MOST_PAUSES && goesOn(); count += 1) {
    const before = performance.eventLoopUtilization();
    await sleep(pause);
    if (performance.eventLoopUtilization(before).utilization <= MOST_BUSY) return;
  }
}

/**
 * Makes menus cold that nothing has changed for `coldAfter`: a gateway that reads one first need not
 * put it together. There may be very many, and no request waits for one: it makes one at a time, where
 * the worker has nothing better to do.
 */
export async function makeMenusCold(db: Db, goesOn: GoesOn, constants: CoolingConstants) {
  const { coldAfter, coolingPause } = constants;
  while (goesOn()) {
    const claimed = await claimMenusToCool(db, coldAfter, MENUS_TO_COOL);
    for (const menu of claimed) {
      await untilIdle(coolingPause, goesOn);
      const stored = await findChangedSnapshot(db, menu.tenant_id, FROM_THE_START);
      // A write may have come meanwhile.
      if (stored?.head?.version !== menu.version) continue;
      const templates = await inSlices(decodeInSteps(stored.templates));
      const head = headIn(stored.head, stored.default_locale);
      const cold = await coldMenuOf(await inSlices(assembleInSteps(head, templates)));
      if (cold) await saveColdMenu(db, menu, cold);
    }
    if (claimed.length < MENUS_TO_COOL) return;
  }
}
