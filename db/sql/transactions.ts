import { type Db, sql } from '../postgres/sql.ts';

/** Lets the present transaction be idle for longer: a worker plans a whole menu without a statement. */
export async function allowIdleTransaction(db: Db, seconds: number): Promise<void> {
  await db.run(sql.nothing`
    select set_config('idle_in_transaction_session_timeout', ${`${seconds}s`}, true)
  `);
}

/** Runs `work` in a transaction of a session: committed when it resolves, rolled back when it rejects. */
export async function inTransaction(session: Db, work: () => Promise<void>): Promise<void> {
  await session.run(sql.nothing`begin`);
  try {
    await work();
    await session.run(sql.nothing`commit`);
  } catch (error) {
    await session.run(sql.nothing`rollback`);
    throw error;
  }
}

/**
 * Runs `work` within a transaction so that its failure undoes what it did and nothing else: the
 * error reaches the caller, and the transaction can go on. Savepoints of one transaction do not nest.
 */
export async function inSavepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.run(sql.nothing`savepoint attempt`);
  try {
    const result = await work();
    await tx.run(sql.nothing`release savepoint attempt`);
    return result;
  } catch (error) {
    await tx.run(sql.nothing`rollback to savepoint attempt`);
    throw error;
  }
}
