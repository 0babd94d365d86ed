import type { PgBoss, Queue } from 'pg-boss';
import { pino } from 'pino';
import type { Db } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { queues } from '../schema/queues.ts';
import { findAbandonedJobs, findJobsAhead } from '../sql/jobs.ts';
import { createBoss } from './boss.ts';

/** How long a photo may be worked on, in s. */
const PHOTO_EXPIRY_SECONDS = 120;

/** Jobs that one step corrects whose times lie in the future. */
const JOBS_PER_CORRECTION = 500;

/** Ten years, in s: jobs stay until an operator has repaired what they wait for. */
const UNTIL_SEEN_TO = 10 * 365 * 86_400;

/** Workers are told of new jobs. One without a heartbeat for this time loses its jobs to others. */
const work = {
  notify: true,
  heartbeatSeconds: constants.jobHeartbeatExpirySeconds,
  retryDelay: 1,
  expireInSeconds: 60,
  deleteAfterSeconds: 60,
};
const pictures = {
  ...work,
  expireInSeconds: PHOTO_EXPIRY_SECONDS,
  retryLimit: constants.photoRetries,
};

/** Created in this order: a queue that another one names comes first. */
const options: Record<string, Omit<Queue, 'name'>> = {
  [queues.snapshotRebuilds]: {
    ...work,
    policy: 'short',
    retryLimit: 5,
    retryBackoff: true,
    deleteAfterSeconds: 3_600,
  },
  [queues.analyticsEventsFailed]: { policy: 'standard', retentionSeconds: UNTIL_SEEN_TO },
  [queues.analyticsEvents]: {
    ...work,
    policy: 'standard',
    deadLetter: queues.analyticsEventsFailed,
    // About a day of retries, in which an operator can repair the database.
    retryLimit: 1_500,
    retryBackoff: true,
    retryDelayMax: 60,
    // A 202 promises that events are kept, even while no worker runs.
    retentionSeconds: UNTIL_SEEN_TO,
  },
  [queues.photoUploads]: {
    ...pictures,
    policy: 'standard',
    retentionSeconds: constants.uploadHours * 3_600,
  },
  // Readers of a picture that is not there ask for it again.
  [queues.linkPreviews]: { ...pictures, policy: 'exclusive', retentionSeconds: 3_600 },
  [queues.menuWrites]: {
    ...work,
    // A restaurant is with one worker at a time, its jobs in their order.
    policy: 'key_strict_fifo',
    // The job of a write that fails is tried again, until the write has a result: see `turn.ts`.
    retryLimit: 1_000_000,
    retryDelay: constants.writeRetryDelaySeconds,
    expireInSeconds: constants.documentExpirySeconds,
    // A 202 promises that writes are done, even after a long time without workers.
    retentionSeconds: UNTIL_SEEN_TO,
  },
};

/**
 * Deletes a queue that we have no more, or that has another policy: that is fixed when a queue is
 * created. Its jobs go, too; workers send jobs for writes that have none.
 */
async function deleteFormer(boss: PgBoss, name: string, { policy }: Omit<Queue, 'name'>) {
  const [former] = await boss.getQueues([name]);
  if (former && former.policy !== policy) await boss.deleteQueue(name);
}

/** Creates or upgrades pg-boss's schema, and our queues in it. */
export async function installQueues(databaseUrl: string): Promise<void> {
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const boss = createBoss(databaseUrl, { log, migrate: true, max: 1 });
  try {
    await boss.start();
    // The tables hold the state of their work now.
    for (const name of ['clock', 'webhooks']) await deleteFormer(boss, name, {});
    for (const [name, queue] of Object.entries(options)) {
      await deleteFormer(boss, name, queue);
      await boss.createQueue(name, queue);
      const { policy: _fixedAtCreation, ...changeable } = queue;
      await boss.updateQueue(name, changeable);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/**
 * Brings back to the present what pg-boss stamped before Postgres' clock was set back. Until that
 * clock has come there again, jobs that wait would not begin, and no worker would supervise the
 * queues: jobs of killed workers would stay claimed. While the clock runs on, it finds nothing. Old
 * jobs that are done wait for the clock to be deleted.
 */
export async function correctJobTimes(db: Db, boss: PgBoss, goesOn: () => boolean): Promise<void> {
  const limit = JOBS_PER_CORRECTION;
  let found: number;
  do {
    const ahead = await findJobsAhead(db, limit);
    for (const { name, id, state } of ahead) {
      // A worker that is alive goes on to give signs of life; one that is not is found below, in time.
      if (state === 'active') await boss.touch(name, id);
      else await boss.update(name, undefined, { id, startAfter: 0 });
    }
    found = ahead.length;
  } while (found >= limit && goesOn());
  for (const { name, id } of await findAbandonedJobs(db, limit)) {
    await boss.fail(name, id, { value: { message: 'job heartbeat timeout' } });
  }
}
