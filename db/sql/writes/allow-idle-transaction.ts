import { type Db, sql } from '../../postgres/sql.ts';

/** Lets the present transaction be idle for longer: a worker plans a whole menu without a statement. */
export async function allowIdleTransaction(db: Db, seconds: number): Promise<void> {
  await db.run(sql.nothing`
    select set_config('idle_in_transaction_session_timeout', ${`${seconds}s`}, true)
  `);
}
