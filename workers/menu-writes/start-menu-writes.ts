import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { bounds } from '../../db/bounds.ts';
import { isOutage } from '../../db/outage.ts';
import { bindJobTransaction } from '../../db/queue/job-transaction.ts';
import { queues, type WriteJob } from '../../db/queue/queues.ts';
import type { Compressor } from './compressor.ts';
import { settleWrites } from './settle-writes.ts';
import { createKnownMenus } from './working-menu.ts';

const options = {
  transactional: true,
  includeMetadata: true,
  // The queue's connections have their bounds already; setting them here is a slow statement a job.
  transactionTimeoutSeconds: 0,
  pollingIntervalSeconds: bounds.workerPoll,
  notifyPollingIntervalSeconds: bounds.workerPoll,
} as const;

function turnOf(job: JobWithMetadata<WriteJob>) {
  return {
    tenantId: job.data.tenant_id,
    writeId: job.id,
    failures: job.retryCount,
    // While Postgres takes no work, a full disk for one, a write waits for however long it takes.
    isLost: job.retryCount >= bounds.maxWriteAttempts && !isOutage(job.output),
    lastFailure: job.output === null ? null : JSON.stringify(job.output),
  };
}

/**
 * Does the writes of the admin API: for each tenant in the order in which they were sent, for
 * several tenants at the same time.
 */
export async function startMenuWrites(boss: PgBoss, compressor: Compressor): Promise<void> {
  const menus = createKnownMenus();
  const take = async () => {
    const workId = await boss.work<WriteJob, void, typeof options>(
      queues.menuWrites,
      options,
      async ([job], transaction) => {
        if (!job) return;
        const tx = bindJobTransaction(transaction, job.signal);
        const { writeIds, changed } = await settleWrites(tx, turnOf(job), menus);
        const others = writeIds.filter((id) => id !== job.id);
        if (others.length > 0) {
          job.signal.throwIfAborted();
          const queued = { db: transaction, includeQueued: true };
          await boss.complete(queues.menuWrites, others, null, queued);
        }
        if (changed) compressor.onWrite(job.data.tenant_id);
        // The queue wakes its workers for new jobs only: there may be more of this tenant's.
        boss.notifyWorker(workId);
      },
    );
  };
  for (let count = 0; count < bounds.writesInParallel; count += 1) await take();
}
