import { advisoryLocks } from '../../postgres/advisory-locks.ts';
import { type Db, sql } from '../../postgres/sql.ts';

/** Waits until the turn is free, and holds it until the transaction ends. */
export async function takeTurn(tx: Db, turn: 'partitions' | 'counts'): Promise<void> {
  await tx.run(sql.nothing`
    select from (select pg_advisory_xact_lock(${advisoryLocks[turn]})) locked
  `);
}
