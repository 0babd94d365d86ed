import { type Db, sql } from '../postgres/connection.ts';

/**
 * Resolves when everything is on disk that has been committed so far, that too whose commit did not
 * wait for it. A message in the write-ahead log, which nobody reads, is the smallest transaction
 * that waits.
 */
export async function flushCommits(db: Db): Promise<void> {
  await db.run(sql.typeAlias('nothing')`select from pg_logical_emit_message(true, 'lavagna', '')`);
}
