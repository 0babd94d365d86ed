import type { PgBoss } from 'pg-boss';
import { bounds } from '../bounds.ts';
import { type Submitted, submitWrites } from '../queries/submit-writes.ts';
import type { NewWrite } from '../records/write.ts';
import { bindJobTransaction } from './job-transaction.ts';
import { queues } from './queues.ts';

/**
 * Records writes and sends their jobs, in one transaction: a write that is recorded will be done,
 * and an idempotency key is never taken by a write that was not sent. Says of each, in their order,
 * whether it was.
 */
export async function sendWrites(
  boss: PgBoss,
  writes: readonly NewWrite[],
): Promise<readonly Submitted[]> {
  const begin = boss.getDb().beginTransaction;
  if (!begin) throw new Error('the queue has no transactions on this database');
  const transaction = await begin.call(boss.getDb());
  try {
    const submitted = await submitWrites(
      bindJobTransaction(transaction.db),
      writes,
      bounds.maxWaitingWrites,
      bounds.resultHours,
    );
    const byId = new Map(submitted.map((one) => [one.id, one]));
    const jobs = writes
      .filter(({ id }) => byId.get(id)?.inserted)
      .map(({ id, tenant_id }) => ({
        id,
        data: { tenant_id },
        singletonKey: String(tenant_id),
      }));
    if (jobs.length > 0) await boss.insert(queues.menuWrites, jobs, { db: transaction.db });
    await transaction.commit();
    return writes.map(({ id }) => byId.get(id) as Submitted);
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}
