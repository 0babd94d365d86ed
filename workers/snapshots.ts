import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { publishVersion } from '../db/menu/new-version.ts';
import type { Db } from '../db/postgres/sql.ts';
import { bindJobTransaction, polling } from '../db/queue/boss.ts';
import type { Constants } from '../db/runtime/constants.ts';
import { inSlices } from '../db/runtime/in-slices.ts';
import { queues, type RebuildJob } from '../db/schema/queues.ts';
import { assembleInSteps } from '../db/snapshot/assemble.ts';
import { headIn } from '../db/snapshot/parts.ts';
import { restMenu } from '../db/snapshot/rested.ts';
import { decodeInSteps } from '../db/snapshot/template.ts';
import {
  claimMenusToRest,
  findChangedSnapshot,
  findOutdatedTenants,
  saveRestedMenu,
} from '../db/sql/snapshots.ts';
import type { GoesOn } from './housekeeping/rounds.ts';

/**
 * Rebuilds the snapshots of tenants that an upgrade has left behind. Every worker looks for them
 * when it starts; the queue holds one job a tenant, so none is rebuilt twice.
 */
export async function startSnapshotRebuilds(
  db: Db,
  boss: PgBoss,
  constants: Constants,
): Promise<void> {
  const work = { transactional: true, ...polling(constants) } as const;
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
    outdated = await findOutdatedTenants(db, after, constants.rebuildsPerBatch);
    await boss.insert(
      queues.snapshotRebuilds,
      outdated.map((tenant_id) => ({ data: { tenant_id }, singletonKey: String(tenant_id) })),
    );
    after = outdated.at(-1) ?? after;
  } while (outdated.length === constants.rebuildsPerBatch);
}

type RestConstants = Pick<
  Constants,
  'buildSlice' | 'menuRest' | 'menusRestedAtOnce' | 'restingPause'
>;

/** Before every version. */
const FROM_THE_START = -1;

/**
 * Puts menus to rest that nothing has changed for `menuRest`: a gateway that reads one first need not
 * put it together. It works at a low pace: there may be very many, and no request waits for it.
 */
export async function restMenus(db: Db, goesOn: GoesOn, constants: RestConstants): Promise<void> {
  const { buildSlice, menuRest, menusRestedAtOnce, restingPause } = constants;
  while (goesOn()) {
    const claimed = await claimMenusToRest(db, menuRest, menusRestedAtOnce);
    for (const menu of claimed) {
      const stored = await findChangedSnapshot(db, menu.tenant_id, FROM_THE_START);
      // A write may have come meanwhile.
      if (stored?.head?.version !== menu.version) continue;
      const templates = await inSlices(decodeInSteps(stored.templates ?? ''), buildSlice);
      const head = headIn(stored.head, stored.default_locale);
      const rested = await restMenu(await inSlices(assembleInSteps(head, templates), buildSlice));
      if (rested) await saveRestedMenu(db, menu, rested);
    }
    if (claimed.length < menusRestedAtOnce) return;
    await sleep(restingPause);
  }
}
