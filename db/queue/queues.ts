import type { PgBoss, Queue } from 'pg-boss';
import { constants } from '../runtime/constants.ts';
import { queues } from '../schema/queues.ts';

/** Longer than any queue waits for somebody to mend something, in seconds: ten years. */
const UNTIL_SEEN_TO = 10 * 365 * 86_400;

/** Created in this order: a queue that another one names comes first. */
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
  [queues.analyticsEventsFailed]: {
    policy: 'standard',
    retentionSeconds: UNTIL_SEEN_TO,
  },
  [queues.analyticsEvents]: {
    policy: 'standard',
    notify: true,
    deadLetter: queues.analyticsEventsFailed,
    expireInSeconds: 60,
    // Those of a worker that was killed are free again when it has been silent for so long.
    heartbeatSeconds: constants.eventHeartbeatExpirySeconds,
    // About a day of trying: whatever ails the database should have been mended by then.
    retryLimit: 1_500,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    // Clients were told that these are kept, however long no worker runs.
    retentionSeconds: UNTIL_SEEN_TO,
    // What has been stored needs no second copy here.
    deleteAfterSeconds: 60,
  },
  [queues.menuWrites]: {
    policy: 'key_strict_fifo',
    // Workers hear of writes by a notice that names the tenants: see `announceSentWrites`.
    notify: false,
    // A job that failed for good would block its tenant, so none does: after `maxWriteErrors`
    // the handler writes down a result instead.
    retryLimit: 1_000_000,
    retryDelay: constants.writeRetryDelaySeconds,
    expireInSeconds: constants.writeExpirySeconds,
    // Clients were told that these will be done, however long no worker runs.
    retentionSeconds: UNTIL_SEEN_TO,
    deleteAfterSeconds: 600,
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
