import { randomUUID } from 'node:crypto';
import type { Db as BossTransaction, PgBoss } from 'pg-boss';
import { OverdueError } from '../postgres/outage.ts';
import { type Db, pipelined } from '../postgres/sql.ts';
import { type Constants, constants as defaults } from '../runtime/constants.ts';
import { createEntryCache } from '../runtime/memoize.ts';
import { type PhotoJob, queues } from '../schema/queues.ts';
import type { NewWrite } from '../schema/write.ts';
import { saveUpload, type Upload } from '../sql/photos.ts';
import { type Submitted, submitWrites } from '../sql/writes.ts';
import { beginTransaction, bindJobTransaction } from './boss.ts';

type WriteBounds = Pick<Constants, 'maxWaitingWrites' | 'resultHours'>;

/** Tenants whose job this process has sent so short a time ago that no worker can have taken it. */
export type SentJobs = ReturnType<typeof createSentJobs>;

export function createSentJobs() {
  return createEntryCache<number, true>(defaults.maxRememberedEntries, {
    ttl: defaults.writeJobReliedOn,
    ttlResolution: 0,
  });
}

/** The job of a tenant's writes: one waits for a tenant at a time. */
export function writeJobOf(tenantId: number) {
  return { data: { tenant_id: tenantId }, singletonKey: String(tenantId) };
}

/**
 * Sends a job for each of the tenants that has none which waits, and returns those tenants. All senders
 * take them in the same order, because each waits for another that is about to send the same job.
 */
async function sendJobs(
  boss: PgBoss,
  db: BossTransaction,
  tenantIds: readonly number[],
): Promise<readonly number[]> {
  if (tenantIds.length === 0) return [];
  const jobs = tenantIds
    .toSorted((left, right) => left - right)
    .map((tenantId) => ({
      ...writeJobOf(tenantId),
      id: randomUUID(),
      // Nearly always a worker that hears of the write has done it by then.
      startAfter: defaults.writeJobDelaySeconds,
    }));
  const ids = new Set(await boss.insert(queues.menuWrites, jobs, { db, returnId: true }));
  return jobs.filter(({ id }) => ids.has(id)).map(({ data }) => data.tenant_id);
}

/** How `insertWrites` sends, beside the writes. */
interface Beside {
  /** Whether a tenant's job is known to wait: it gets no other. */
  hasJob?: (tenantId: number) => boolean;
  /** Whether the commit is to be on disk before it is answered. */
  isFlushed?: boolean;
}

interface Inserted {
  /** For each write, in their order, whether it was stored. */
  submitted: readonly Submitted[];
  /** Tenants that got a job. */
  withJob: readonly number[];
}

/**
 * Stores and announces writes and sends the jobs of their tenants, in a transaction of the caller.
 * A job too many does no harm: its worker finds no write.
 */
export async function insertWrites(
  boss: PgBoss,
  db: BossTransaction,
  tx: Db,
  writes: readonly NewWrite[],
  { maxWaitingWrites, resultHours }: WriteBounds,
  { hasJob = () => false, isFlushed = true }: Beside = {},
): Promise<Inserted> {
  const tenantIds = [...new Set(writes.map(({ tenant_id }) => tenant_id))];
  const [submitted, withJob] = await pipelined(
    submitWrites(tx, writes, {
      maxWaiting: maxWaitingWrites,
      keyHours: resultHours,
      isFlushed,
    }),
    sendJobs(
      boss,
      db,
      tenantIds.filter((id) => !hasJob(id)),
    ),
  );
  const byId = new Map(submitted.map((one) => [one.id, one]));
  return { submitted: writes.map(({ id }) => byId.get(id) as Submitted), withJob };
}

/**
 * Stores writes and sends jobs of their tenants in one transaction, so that each stored write will be
 * done, and a write that was not sent takes no idempotency key.
 *
 * The commit does not wait for the disk. The worker's commit, which does, comes later in the log of
 * Postgres: a write with a result is safe. Before a 202, the caller must wait for `secureWrites`.
 *
 * @param isOverdue whether a caller was told that its write failed; then nothing is committed
 * @returns for each write, in their order, whether it was stored
 */
export async function sendWrites(
  boss: PgBoss,
  writes: readonly NewWrite[],
  isOverdue: () => boolean,
  bounds: WriteBounds,
  sent?: SentJobs,
): Promise<readonly Submitted[]> {
  const start = performance.now();
  const { db, commit, rollback } = await beginTransaction(boss);
  const tx = bindJobTransaction(db);
  try {
    const hasJob = (tenantId: number) => sent?.has(tenantId) ?? false;
    const { submitted, withJob } = await insertWrites(boss, db, tx, writes, bounds, {
      hasJob,
      isFlushed: false,
    });
    if (isOverdue()) throw new OverdueError('Postgres took the writes too late');
    // Only now: what is sent to a Postgres that is silent must not be done when it wakes up.
    await commit();
    for (const tenantId of withJob) sent?.set(tenantId, true, { start });
    return submitted;
  } catch (error) {
    await rollback();
    throw error;
  }
}

/** Keeps an upload and sends its job, in one transaction; false when too many uploads wait. */
export async function sendUpload(boss: PgBoss, upload: Upload): Promise<boolean> {
  const { tenantId, id } = upload;
  const { db, commit, rollback } = await beginTransaction(boss);
  try {
    const turn = await saveUpload(bindJobTransaction(db), upload);
    if (turn === null) {
      await rollback();
      return false;
    }
    const data: PhotoJob = { tenant_id: tenantId, id };
    await boss.send(queues.photoUploads, data, { db, priority: -turn });
    await commit();
    return true;
  } catch (error) {
    await rollback();
    throw error;
  }
}
