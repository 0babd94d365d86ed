import { type Db, sql } from '../../postgres/sql.ts';
import { bossTable } from './boss-table.ts';

/**
 * Counts pg-boss's jobs for Postgres' planner. Where it knows of none, though many have gathered while
 * no worker ran, or came with a backup, pg-boss looks through all of them for each that it takes.
 */
export async function analyzeJobs(db: Db): Promise<void> {
  await db.run(sql.nothing`analyze ${bossTable('job')}`);
}
