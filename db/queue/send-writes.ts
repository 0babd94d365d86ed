import type { PgBoss } from 'pg-boss';
import { OverdueError } from '../postgres/outage.ts';
import { pipelined } from '../postgres/pipelined.ts';
import type { Constants } from '../runtime/constants.ts';
import { queues } from '../schema/queues.ts';
import type { NewWrite } from '../schema/write.ts';
import { announceSentWrites } from '../sql/writes/announce-sent-writes.ts';
import { commitWithoutFlush } from '../sql/writes/commit-without-flush.ts';
import { type Submitted, submitWrites } from '../sql/writes/submit-writes.ts';
import { beginTransaction, bindJobTransaction } from './job-transaction.ts';

/**
 * Records writes and sends their jobs, in one transaction: a write that is recorded will be done,
 * and an idempotency key is never taken by a write that was not sent. Says of each, in their order,
 * whether it was.
 *
 * Nothing is kept when `isOverdue` by the time that all is sent: those who sent it have been told so.
 *
 * The commit does not wait for the disk. The transaction of the worker that does a write stands behind
 * this one in the log and waits for both, so that a write whose result is known is safe. Whoever
 * promises one that is not done yet must wait for `secureWrites` first.
 *
 * The jobs leave before it is known which writes were recorded. Nearly always all of them were, and
 * the jobs of the others are deleted before anybody sees them.
 */
export async function sendWrites(
  boss: PgBoss,
  writes: readonly NewWrite[],
  isOverdue: () => boolean,
  { maxWaitingWrites, resultHours }: Pick<Constants, 'maxWaitingWrites' | 'resultHours'>,
): Promise<readonly Submitted[]> {
  const { db, commit, rollback } = await beginTransaction(boss);
  const jobs = writes.map(({ id, tenant_id }) => ({
    id,
    data: { tenant_id },
    singletonKey: String(tenant_id),
  }));
  const tenantIds = new Set(writes.map(({ tenant_id }) => tenant_id));
  const tx = bindJobTransaction(db);
  try {
    const [submitted] = await pipelined(
      submitWrites(tx, writes, maxWaitingWrites, resultHours),
      boss.insert(queues.menuWrites, jobs, { db }),
      announceSentWrites(tx, [...tenantIds]),
      commitWithoutFlush(tx),
    );
    const byId = new Map(submitted.map((one) => [one.id, one]));
    const refused = submitted.filter(({ inserted }) => !inserted).map(({ id }) => id);
    if (refused.length > 0) await boss.deleteJob(queues.menuWrites, refused, { db });
    if (isOverdue()) throw new OverdueError('Postgres took the writes too late');
    // Only now: what is sent to a Postgres that is silent must not be done when it wakes up.
    await commit();
    return writes.map(({ id }) => byId.get(id) as Submitted);
  } catch (error) {
    await rollback();
    throw error;
  }
}
