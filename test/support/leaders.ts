import { advisoryLocks } from '../../db/sql/transactions.ts';
import { runSql } from './sql.ts';

/** The sessions of the workers that lead in this database: one, or none for a moment. */
export async function findLeaders(databaseUrl: string): Promise<number[]> {
  const holders = `select pid from pg_locks
    where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = $1
      and database = (select oid from pg_database where datname = current_database())`;
  return (await runSql(databaseUrl, holders, [advisoryLocks.leader])).map(({ pid }) => pid);
}
