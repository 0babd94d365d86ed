import type { Db as BossTransaction, PgBoss } from 'pg-boss';
import { OverdueError } from '../postgres/outage.ts';
import { type Db, pipelined } from '../postgres/sql.ts';
import type { Constants } from '../runtime/constants.ts';
import { type PhotoJob, queues } from '../schema/queues.ts';
import type { NewWrite } from '../schema/write.ts';
import { saveUpload, type Upload } from '../sql/photos.ts';
import { type Submitted, submitWrites } from '../sql/writes.ts';
import { inQueueTransaction } from './boss.ts';
import { jobOfWrite } from './restaurant-jobs.ts';

type WriteBounds = Pick<Constants, 'maxWaitingWrites' | 'resultHours'>;

/**
 * Stores writes and sends their jobs, in a transaction of the caller.
 *
 * @param isFlushed whether the commit is to be on disk before it is answered
 * @returns for each write, in their order, whether it was stored
 */
export async function insertWrites(
  boss: PgBoss,
  db: BossTransaction,
  tx: Db,
  writes: readonly NewWrite[],
  { maxWaitingWrites, resultHours }: WriteBounds,
  isFlushed = true,
): Promise<readonly Submitted[]> {
  // Sent together: nearly always all of them are stored.
  const [submitted] = await pipelined(
    submitWrites(tx, writes, { maxWaiting: maxWaitingWrites, keyHours: resultHours, isFlushed }),
    boss.insert(queues.menuWrites, writes.map(jobOfWrite), { db }),
  );
  const refused = submitted.filter(({ inserted }) => !inserted).map(({ id }) => id);
  if (refused.length > 0) await boss.deleteJob(queues.menuWrites, refused, { db });
  const byId = new Map(submitted.map((one) => [one.id, one]));
  return writes.map(({ id }) => byId.get(id) as Submitted);
}

/**
 * Stores writes and sends their jobs in one transaction, so that each stored write will be done, and a
 * write that was not sent takes no idempotency key.
 *
 * The commit does not wait for the disk. The worker's commit, which does, comes later in the log of
 * Postgres: a write with a result is safe. Before a 202, the caller must wait for `secureWrites`.
 *
 * @param isOverdue whether a caller was told that its write failed; then nothing is committed
 * @returns for each write, in their order, whether it was stored
 */
export function sendWrites(
  boss: PgBoss,
  writes: readonly NewWrite[],
  isOverdue: () => boolean,
  bounds: WriteBounds,
): Promise<readonly Submitted[]> {
  return inQueueTransaction(boss, async ({ db, tx, commit }) => {
    const submitted = await insertWrites(boss, db, tx, writes, bounds, false);
    if (isOverdue()) throw new OverdueError('Postgres took the writes too late');
    // Only now: what is sent to a Postgres that is silent must not be done when it wakes up.
    await commit();
    return submitted;
  });
}

/** Keeps an upload and sends its job, in one transaction; false when too many uploads wait. */
export function sendUpload(boss: PgBoss, upload: Upload): Promise<boolean> {
  return inQueueTransaction(boss, async ({ db, tx, commit }) => {
    const turn = await saveUpload(tx, upload);
    if (turn === null) return false;
    const data: PhotoJob = { tenant_id: upload.tenantId, id: upload.id };
    await boss.send(queues.photoUploads, data, { db, priority: -turn });
    await commit();
    return true;
  });
}
