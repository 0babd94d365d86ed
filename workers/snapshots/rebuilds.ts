import type { PgBoss } from 'pg-boss';
import type { Db } from '../../db/postgres/sql.ts';
import { bindJobTransaction } from '../../db/queue/boss.ts';
import { constants } from '../../db/runtime/constants.ts';
import { queues, type RebuildJob } from '../../db/schema/queues.ts';
import { rebuildSnapshots } from '../../db/snapshot/rebuild.ts';
import { findOutdatedTenants } from '../../db/sql/snapshots.ts';
import { findPresentTenants } from '../../db/sql/tenants.ts';
import { bumpVersion } from '../../db/sql/versions.ts';

/**
 * Rebuilds the snapshots of tenants that an upgrade has left behind. Every worker looks for them
 * when it starts; the queue holds one job a tenant, so none is rebuilt twice.
 */
export async function startSnapshotRebuilds(db: Db, boss: PgBoss): Promise<void> {
  const workId = await boss.work<RebuildJob, void, { transactional: true }>(
    queues.snapshotRebuilds,
    { transactional: true },
    async ([job], transaction) => {
      if (!job) return;
      const tx = bindJobTransaction(transaction, job.signal);
      const { tenant_id: tenantId } = job.data;
      // It may have been deleted meanwhile.
      if ((await findPresentTenants(tx, [tenantId])).has(tenantId)) {
        await bumpVersion(tx, tenantId);
        await rebuildSnapshots(tx, tenantId);
      }
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
