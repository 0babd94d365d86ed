import type { Db as BossTransaction, PgBoss } from 'pg-boss';
import { typedError } from '../postgres/driver.ts';
import { bindPg, type Db, toPg } from '../postgres/sql.ts';

/**
 * The transaction in which pg-boss completes a job, as the database operations know it: what they
 * write commits with the job's completion or not at all.
 *
 * When a job takes longer than its queue allows, pg-boss sends ROLLBACK while the handler still
 * runs. A statement that the handler sends next would follow it on the same connection and commit
 * alone; the job's signal is aborted before that, and from then on nothing is sent.
 *
 * @param signal of the job; of the first one in a batch
 */
export function bindJobTransaction(transaction: BossTransaction, signal?: AbortSignal): Db {
  return bindPg(async (statement) => {
    signal?.throwIfAborted();
    const { text, values } = toPg(statement);
    return transaction.executeSql(text, values).catch((error) => {
      throw typedError(error);
    });
  });
}

/** Begins a transaction in which jobs can be sent and completed, and data changed beside them. */
export function beginTransaction(boss: PgBoss) {
  const db = boss.getDb();
  if (!db.beginTransaction) throw new Error('the queue has no transactions on this database');
  return db.beginTransaction();
}
