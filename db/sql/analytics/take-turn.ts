import { type Db, sql } from '../../postgres/sql.ts';

/** Numbers that no other lock of ours has. */
const LOCKS = {
  /** To make or drop partitions. */
  partitions: 4_921_077_311,
  /**
   * To add to the counts more than once in a transaction, which takes their rows in no order: two who
   * do would stand in each other's way, again and again.
   */
  counts: 7_305_003,
};

/** Waits until the turn is free, and holds it until the transaction ends. */
export async function takeTurn(tx: Db, turn: keyof typeof LOCKS): Promise<void> {
  await tx.run(sql.nothing`
    select from (select pg_advisory_xact_lock(${LOCKS[turn]})) locked
  `);
}
