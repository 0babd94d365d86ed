import { type Db, sql } from '../../postgres/sql.ts';

/**
 * Lets the commit of the present transaction be answered before it is on disk: a crash of Postgres in
 * the next moments may undo it, wholly. See `secureWrites`.
 */
export async function commitWithoutFlush(db: Db): Promise<void> {
  await db.run(sql.nothing`
    select from set_config('synchronous_commit', 'off', true)
  `);
}
