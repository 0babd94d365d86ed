import * as v from 'valibot';
import type { Database } from '../../postgres/connection.ts';
import { sql } from '../../postgres/sql.ts';
import { type PartitionedTable, partitionName } from './create-partitions.ts';
import { takeTurn } from './take-turn.ts';

/**
 * Drops a table's partitions of the days before `day`, and returns how many. Inserts into the table
 * wait for the short time of the drop. When it cannot begin soon, it gives up until the next round.
 *
 * @param day `YYYY-MM-DD`
 */
export function dropPartitions(
  db: Database,
  table: PartitionedTable,
  day: string,
): Promise<number> {
  return db.transaction(async (tx) => {
    await takeTurn(tx, 'partitions');
    await tx.run(sql.nothing`set local lock_timeout = '2s'`);
    // The names end in the day, so their order is that of the days.
    const old = await tx.any(sql.value(v.string())`
      select c.relname as name
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass and c.relname < ${partitionName(table, day)}
    `);
    for (const name of old) {
      await tx.run(sql.nothing`drop table ${sql.identifier([name])}`);
    }
    return old.length;
  });
}
