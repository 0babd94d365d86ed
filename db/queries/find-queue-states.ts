import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';

const queueStateSchema = v.object({
  name: v.string(),
  waiting: v.number(),
  /** For how long the oldest job waits that could run, in seconds. */
  oldest: v.number(),
});
export type QueueState = v.InferOutput<typeof queueStateSchema>;

/** The queues that there are, with the jobs that wait to be run; read from pg-boss's own tables. */
export function findQueueStates(db: Db): Promise<readonly QueueState[]> {
  return db.any(sql.type(queueStateSchema)`
    select q.name, count(j.id)::int4 as waiting,
      coalesce(extract(epoch from now() - min(j.start_after)), 0)::float8 as oldest
    from pgboss.queue q
    left join pgboss.job j
      on j.name = q.name and j.state < 'active' and j.start_after <= now()
    group by q.name
    order by q.name
  `);
}
