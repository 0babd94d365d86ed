import { type Db, sql } from './sql.ts';

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
