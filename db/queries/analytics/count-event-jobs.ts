import * as v from 'valibot';
import { type Db, sql } from '../../connection.ts';
import { bossSchema } from '../../queue/boss.ts';
import { queues } from '../../queue/queues.ts';

const countsSchema = v.object({ waiting: v.number(), failed: v.number() });
export type EventJobs = v.InferOutput<typeof countsSchema>;

/** Jobs of events that are still to be done, and those that were put aside for the operator. */
export function countEventJobs(db: Db): Promise<EventJobs> {
  return db.one(sql.type(countsSchema)`
    select count(*) filter (where name = ${queues.analyticsEvents}) as waiting,
      count(*) filter (where name = ${queues.analyticsEventsFailed}) as failed
    from ${sql.identifier([bossSchema, 'job'])}
    where name = any (array[${queues.analyticsEvents}, ${queues.analyticsEventsFailed}])
      and state < 'completed'
  `);
}
