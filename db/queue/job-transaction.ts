import type { Db as BossTransaction } from 'pg-boss';
import { checkRow, type Db } from '../connection.ts';

/** pg's placeholders for those that slonik's tag writes and its driver would translate. */
function placeholders(text: string): string {
  return text.replaceAll('$slonik_', '$');
}

/**
 * The transaction in which pg-boss completes a job, as the database operations know it: what they
 * write commits with the job's completion or not at all.
 */
export function bindJobTransaction(transaction: BossTransaction): Db {
  const any: Db['any'] = async (query) => {
    const { rows } = await transaction.executeSql(placeholders(query.sql), [...query.values]);
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
      const result = await transaction.executeSql(placeholders(query.sql), [...query.values]);
      return (result as { rowCount?: number }).rowCount ?? 0;
    },
  };
}
