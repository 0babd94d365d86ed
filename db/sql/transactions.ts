import { advisoryLocks } from '../postgres/advisory-locks.ts';
import { type Db, sql } from '../postgres/sql.ts';

/** Lets the present transaction be idle for longer: a worker plans a whole menu without a statement. */
export async function allowIdleTransaction(db: Db, seconds: number): Promise<void> {
  await db.run(sql.nothing`
    select set_config('idle_in_transaction_session_timeout', ${`${seconds}s`}, true)
  `);
}

/**
 * Lets the commit of the present transaction be answered before it is on disk: a crash of Postgres in
 * the next moments may undo it, wholly. See `secureWrites`.
 */
export async function commitWithoutFlush(db: Db): Promise<void> {
  await db.run(sql.nothing`
    select from set_config('synchronous_commit', 'off', true)
  `);
}

/** Waits until the turn is free, and holds it until the transaction ends. */
export async function takeTurn(tx: Db, turn: 'partitions' | 'counts'): Promise<void> {
  await tx.run(sql.nothing`
    select from (select pg_advisory_xact_lock(${advisoryLocks[turn]})) locked
  `);
}
