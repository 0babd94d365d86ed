import { type Db, sql } from '../postgres/sql.ts';

/** Lets the present transaction be idle for longer: a worker plans a whole menu without a statement. */
export async function allowIdleTransaction(db: Db, seconds: number): Promise<void> {
  await db.run(sql.nothing`
    select set_config('idle_in_transaction_session_timeout', ${`${seconds}s`}, true)
  `);
}

/**
 * Lets the present transaction be committed without a wait for the disk: a crash of Postgres in the
 * next moments may undo it, wholly.
 */
export async function skipFlush(db: Db): Promise<void> {
  await db.run(sql.nothing`select from set_config('synchronous_commit', 'off', true)`);
}

/** Begins a transaction of a session, which ends with the session at the latest. */
export async function openTransaction(session: Db): Promise<void> {
  await session.run(sql.nothing`begin`);
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

/** The numbers of our advisory locks; other programs in the database must not use them. */
const advisoryLocks = {
  /** Of a session that migrates. */
  migrations: 4_921_077_310,
  /** Of a transaction that makes or drops partitions. */
  partitions: 4_921_077_311,
  /**
   * Of a transaction that adds to the counts more than once. It locks their rows in no order, so two
   * of them would meet in deadlocks again and again.
   */
  counts: 7_305_003,
};

/** Waits until the turn is free, and holds it until the transaction ends. */
export async function takeTurn(tx: Db, turn: 'partitions' | 'counts'): Promise<void> {
  await tx.run(sql.nothing`
    select from (select pg_advisory_xact_lock(${advisoryLocks[turn]})) locked
  `);
}

/** Waits until no other process migrates, and keeps others from it until the session ends. */
export async function lockMigrations(session: Db): Promise<void> {
  await session.run(sql.nothing`
    select from (select pg_advisory_lock(${advisoryLocks.migrations})) locked
  `);
}
