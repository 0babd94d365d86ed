import type { Db as BossTransaction, PgBoss } from 'pg-boss';
import { checkRow, type Db } from '../postgres/connection.ts';

/** pg's placeholders for those that slonik's tag writes and its driver would translate. */
function placeholders(text: string): string {
  return text.replaceAll('$slonik_', '$');
}

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
  const execute = async (query: { sql: string; values: readonly unknown[] }) => {
    signal?.throwIfAborted();
    return transaction.executeSql(placeholders(query.sql), [...query.values]);
  };
  const any: Db['any'] = async (query) => {
    const { rows } = await execute(query);
    return rows.map((row) => checkRow(query, query.parser, row));
  };
  const maybeOne: Db['maybeOne'] = async (query) => {
    const rows = await any(query);
    if (rows.length > 1) throw new Error(`expected one row at most, got ${rows.length}`);
    return rows[0] ?? null;
  };
  return {
    any,
    maybeOne,
    one: async (query) => {
      const row = await maybeOne(query);
      if (row === null) throw new Error('expected a row, got none');
      return row;
    },
    run: async (query) => {
      const result = await execute(query);
      return (result as { rowCount?: number }).rowCount ?? 0;
    },
  };
}

/** A transaction on a connection of the queue. */
export type QueueTransaction = Awaited<ReturnType<typeof beginTransaction>>;

/** Begins a transaction in which jobs can be sent and completed, and data changed beside them. */
export function beginTransaction(boss: PgBoss) {
  const db = boss.getDb();
  if (!db.beginTransaction) throw new Error('the queue has no transactions on this database');
  return db.beginTransaction();
}

/**
 * Completes jobs, those too that the queue has not handed out yet, and commits. The COMMIT leaves
 * right behind the last statement: one round trip for both. Where that statement or one before it
 * has failed, Postgres rolls the transaction back and the COMMIT reports no error. So the caller must
 * check the results of the other statements.
 */
export async function completeAndCommit(
  boss: PgBoss,
  queue: string,
  ids: string[],
  { db, commit }: QueueTransaction,
): Promise<void> {
  let committed: Promise<void> | undefined;
  const last: BossTransaction = {
    executeSql: (text, values) => {
      const completed = db.executeSql(text, values);
      committed = commit();
      // Should both fail, then the first says why.
      committed.catch(() => undefined);
      return completed;
    },
  };
  await boss.complete(queue, ids, null, { db: last, includeQueued: true });
  await committed;
}
