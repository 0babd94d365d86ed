import * as v from 'valibot';
import type { Database } from '../postgres/connection.ts';
import { type Db, sql } from '../postgres/sql.ts';
import { shiftDay } from '../runtime/day.ts';
import { takeTurn } from './advisory-locks.ts';

/** The tables that have a partition for every day. */
const PARTITIONED = ['analytics_events', 'analytics_visits'] as const;
type PartitionedTable = (typeof PARTITIONED)[number];

/** The name of a table's partition of one day, `YYYY-MM-DD`. */
function partitionName(table: PartitionedTable, day: string): string {
  return `${table}_${day.replaceAll('-', '')}`;
}

/** How full pages are made, in percent: visits are rewritten while their day lasts. */
const FILL: Record<PartitionedTable, number> = { analytics_events: 100, analytics_visits: 60 };

async function createPartition(tx: Db, table: PartitionedTable, day: string): Promise<void> {
  const parent = sql.identifier([table]);
  const partition = sql.identifier([partitionName(table, day)]);
  await tx.run(sql.nothing`
    create table ${partition} (like ${parent} including defaults) with (fillfactor = ${sql.literalValue(
      String(FILL[table]),
    )})
  `);
  await tx.run(sql.nothing`
    alter table ${parent} attach partition ${partition}
    for values from (${sql.literalValue(day)}) to (${sql.literalValue(shiftDay(day, 1))})
  `);
}

/**
 * Makes the partitions of these days that are missing. A table is made first and attached then:
 * that does not wait for the transactions that are inserting, nor they for it.
 *
 * @param days `YYYY-MM-DD`
 */
export async function createPartitions(db: Database, days: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await takeTurn(tx, 'partitions');
    for (const table of PARTITIONED) {
      const names = days.map((day) => partitionName(table, day));
      const present = await tx.any(sql.value(v.string())`
        select relname as name from pg_class
        where oid = any (array(
          select inhrelid from pg_inherits where inhparent = ${table}::regclass
        )) and relname = any (${sql.array(names, 'text')})
      `);
      const missing = days.filter((day) => !present.includes(partitionName(table, day)));
      for (const day of missing) await createPartition(tx, table, day);
    }
  });
}

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
