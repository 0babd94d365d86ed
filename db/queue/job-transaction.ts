import type { Db as BossTransaction } from 'pg-boss';
import { checkRow, type Db } from '../connection.ts';

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
 * by itself; the job's signal is aborted before that, and from then on nothing is sent.
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
