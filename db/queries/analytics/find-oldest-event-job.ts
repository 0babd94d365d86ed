import * as v from 'valibot';
import { type Db, sql } from '../../connection.ts';
import { bossSchema } from '../../queue/boss.ts';
import { queues } from '../../queue/queues.ts';

/** When the oldest job of events that is still to be done was sent; null when there is none. */
export async function findOldestEventJob(db: Db): Promise<Date | null> {
  const { oldest } = await db.one(sql.type(v.object({ oldest: v.nullable(v.date()) }))`
    select min(created_on) as oldest from ${sql.identifier([bossSchema, 'job'])}
    where name = ${queues.analyticsEvents} and state < 'completed'
  `);
  return oldest;
}
