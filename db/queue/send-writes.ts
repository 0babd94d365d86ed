import type { Db as BossTransaction, PgBoss } from 'pg-boss';
import { OverdueError } from '../postgres/outage.ts';
import { pipelined } from '../postgres/pipelined.ts';
import type { Db } from '../postgres/sql.ts';
import { type Constants, constants } from '../runtime/constants.ts';
import { queues } from '../schema/queues.ts';
import type { NewWrite } from '../schema/write.ts';
import { commitWithoutFlush } from '../sql/transactions.ts';
import { announceSentWrites, type Submitted, submitWrites } from '../sql/writes.ts';
import { beginTransaction, bindJobTransaction } from './job-transaction.ts';

type WriteBounds = Pick<Constants, 'maxWaitingWrites' | 'resultHours'>;

/**
 * Stores writes, sends their jobs and announces them, in a transaction of the caller.
 *
 * The jobs are sent before the answer says which writes were stored. Nearly always all of them were;
 * the other jobs are deleted in the same transaction.
 *
 * @param last what is sent behind it in the same round trip
 * @returns for each write, in their order, whether it was stored
 */
export async function insertWrites(
  boss: PgBoss,
  db: BossTransaction,
  tx: Db,
  writes: readonly NewWrite[],
  { maxWaitingWrites, resultHours }: WriteBounds,
  last: () => Promise<void> | undefined = () => undefined,
): Promise<readonly Submitted[]> {
  const jobs = writes.map(({ id, tenant_id, resource }) => ({
    id,
    data: { tenant_id },
    singletonKey: String(tenant_id),
    // Nearly always a worker that hears of the write has done it by then.
    startAfter: constants.writeJobDelaySeconds,
    ...(resource === 'menu' && { expireInSeconds: constants.documentExpirySeconds }),
  }));
  const tenantIds = new Set(writes.map(({ tenant_id }) => tenant_id));
  const [submitted] = await pipelined(
    submitWrites(tx, writes, maxWaitingWrites, resultHours),
    boss.insert(queues.menuWrites, jobs, { db }),
    announceSentWrites(tx, [...tenantIds]),
    last(),
  );
  const byId = new Map(submitted.map((one) => [one.id, one]));
  const refused = submitted.filter(({ inserted }) => !inserted).map(({ id }) => id);
  if (refused.length > 0) await boss.deleteJob(queues.menuWrites, refused, { db });
  return writes.map(({ id }) => byId.get(id) as Submitted);
}

/**
 * Stores writes and sends their jobs in one transaction, so that each stored write will be done, and
 * a write that was not sent takes no idempotency key.
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
): Promise<readonly Submitted[]> {
  const { db, commit, rollback } = await beginTransaction(boss);
  const tx = bindJobTransaction(db);
  try {
    const last = () => commitWithoutFlush(tx);
    const submitted = await insertWrites(boss, db, tx, writes, bounds, last);
    if (isOverdue()) throw new OverdueError('Postgres took the writes too late');
    // Only now: what is sent to a Postgres that is silent must not be done when it wakes up.
    await commit();
    return submitted;
  } catch (error) {
    await rollback();
    throw error;
  }
}
