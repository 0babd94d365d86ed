import type { PgBoss } from 'pg-boss';
import { bounds } from '../bounds.ts';
import { OverdueError } from '../outage.ts';
import { type Submitted, submitWrites } from '../queries/submit-writes.ts';
import type { NewWrite } from '../records/write.ts';
import { together } from '../together.ts';
import { bindJobTransaction } from './job-transaction.ts';
import { queues } from './queues.ts';

/**
 * Records writes and sends their jobs, in one transaction: a write that is recorded will be done,
 * and an idempotency key is never taken by a write that was not sent. Says of each, in their order,
 * whether it was.
 *
 * Nothing is kept when `isOverdue` by the time that all is sent: those who sent it have been told so.
 *
 * The jobs leave before it is known which writes were recorded. Nearly always all of them were, and
 * the jobs of the others are deleted before anybody sees them.
 */
export async function sendWrites(
  boss: PgBoss,
  writes: readonly NewWrite[],
  isOverdue: () => boolean,
): Promise<readonly Submitted[]> {
  const begin = boss.getDb().beginTransaction;
  if (!begin) throw new Error('the queue has no transactions on this database');
  const { db, commit, rollback } = await begin.call(boss.getDb());
  const jobs = writes.map(({ id, tenant_id }) => ({
    id,
    data: { tenant_id },
    singletonKey: String(tenant_id),
  }));
  const { maxWaitingWrites, resultHours } = bounds;
  try {
    const [submitted] = await together(
      submitWrites(bindJobTransaction(db), writes, maxWaitingWrites, resultHours),
      boss.insert(queues.menuWrites, jobs, { db }),
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
