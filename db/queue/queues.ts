import type { PgBoss, Queue } from 'pg-boss';

/** The queues between gateways, operators and workers, with how each of them behaves. */
export const queues = {
  /** Tenants whose snapshots are of an older format: `RebuildJob`, one at a time for a tenant. */
  snapshotRebuilds: 'snapshot-rebuilds',
} as const;

export interface RebuildJob {
  tenant_id: number;
}

const options: Record<string, Omit<Queue, 'name'>> = {
  [queues.snapshotRebuilds]: {
    policy: 'short',
    notify: true,
    retryLimit: 5,
    retryDelay: 1,
    retryBackoff: true,
    expireInSeconds: 60,
    deleteAfterSeconds: 3_600,
  },
};

/** Creates the queues that are missing and brings the others up to date. */
export async function createQueues(boss: PgBoss): Promise<void> {
  for (const [name, queue] of Object.entries(options)) {
    await boss.createQueue(name, queue);
    const { policy: _fixedAtCreation, ...changeable } = queue;
    await boss.updateQueue(name, changeable);
  }
}
