import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Db } from '../postgres/sql.ts';
import { queues, type RestaurantJob } from '../schema/queues.ts';
import { isSlow, type Write } from '../schema/write.ts';
import { findWritesWithoutJob } from '../sql/jobs.ts';
import { inQueueTransaction, type QueueTransaction, withCommit } from './boss.ts';

/** Jobs of waiting writes that one statement sends. */
const JOBS_PER_INSERT = 1_000;

/**
 * The priorities of the jobs. Due changes and slow writes have a turn of their own in each worker: so a
 * thousand restaurants that change at one moment do not hold up the writes of others.
 */
export const QUICK = 0;
export const DUE = -1;
export const SLOW = -2;

/**
 * The job of a restaurant. Its key is the restaurant's id, and the queue's policy hands out one job of
 * a key at a time, in order: a restaurant is with one worker at a time.
 */
function jobOf(tenantId: number, id: string, priority: number) {
  const data: RestaurantJob = { tenant_id: tenantId };
  return { id, data, singletonKey: String(tenantId), priority };
}

/** It is sent with the write and ends with its result, so each write that waits has a job. */
export function jobOfWrite(write: Pick<Write, 'tenant_id' | 'id' | 'resource' | 'action'>) {
  return jobOf(write.tenant_id, write.id, isSlow(write) ? SLOW : QUICK);
}

/** The id of the job for due changes of a restaurant, which has one such job at a time. */
export function dueJobId(tenantId: number): string {
  return `00000000-0000-8000-8000-${tenantId.toString(16).padStart(12, '0')}`;
}

type Claimed = Pick<JobWithMetadata<RestaurantJob>, 'id' | 'data' | 'priority'>;

/**
 * Ends jobs in a transaction of the caller, and commits it. Some of them go back into the queue, behind
 * the others, as if they were new.
 */
export async function endJobs(
  boss: PgBoss,
  transaction: QueueTransaction,
  ended: string[],
  back: readonly Claimed[],
): Promise<void> {
  const isLast = back.length === 0;
  const db = isLast ? withCommit(transaction) : transaction.db;
  await boss.deleteJob(queues.menuWrites, ended, { db });
  if (isLast) return;
  const anew = back.map(({ id, data, priority }) => jobOf(data.tenant_id, id, priority));
  await boss.insert(queues.menuWrites, anew, { db: withCommit(transaction) });
}

/** Puts claimed jobs back into the queue. */
export function putBack(boss: PgBoss, jobs: readonly Claimed[]): Promise<void> {
  const ids = jobs.map(({ id }) => id);
  return inQueueTransaction(boss, (transaction) => endJobs(boss, transaction, ids, jobs));
}

/** Sends jobs for due changes of restaurants; one that has such a job gets no other. */
export async function sendDueJobs(boss: PgBoss, tenantIds: readonly number[]): Promise<void> {
  if (tenantIds.length === 0) return;
  await boss.insert(
    queues.menuWrites,
    tenantIds.map((id) => jobOf(id, dueJobId(id), DUE)),
  );
}

/**
 * Sends a job for each write that waits, unless it has one: those of the release before had none of
 * their own, and where the queue's tables are lost, none has. Every worker does so when it starts.
 */
export async function sendWaitingWrites(db: Db, boss: PgBoss): Promise<void> {
  const limit = JOBS_PER_INSERT;
  let waiting: Awaited<ReturnType<typeof findWritesWithoutJob>>;
  do {
    waiting = await findWritesWithoutJob(db, limit);
    if (waiting.length > 0) await boss.insert(queues.menuWrites, waiting.map(jobOfWrite));
  } while (waiting.length === limit);
}
