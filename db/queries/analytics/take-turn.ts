import { type Db, sql } from '../../postgres/connection.ts';

/** Any number that no other lock of ours has. */
const TURN_LOCK = 7_305_003;

/**
 * Waits until nobody else has the turn, and has it until the transaction ends. Whoever adds to the
 * counts more than once in a transaction takes their rows in no order: two who do would stand in each
 * other's way, again and again.
 */
export async function takeTurn(tx: Db): Promise<void> {
  await tx.run(sql.typeAlias('nothing')`
    select from (select pg_advisory_xact_lock(${TURN_LOCK})) locked
  `);
}
