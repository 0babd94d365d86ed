import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { bossTable } from './boss-table.ts';

const queueStateSchema = v.object({
  name: v.string(),
  waiting: v.number(),
  /** For how long the oldest of them has waited, in seconds. */
  oldest: v.number(),
});
export type QueueState = v.InferOutput<typeof queueStateSchema>;

/**
 * The queues that there are, with the jobs that wait for a first run or for another one; read from
 * pg-boss's own tables.
 */
export function findQueueStates(db: Db): Promise<readonly QueueState[]> {
  return db.any(sql.type(queueStateSchema)`
    select q.name, count(j.id)::int4 as waiting,
      coalesce(extract(epoch from now() - min(j.created_on)), 0)::float8 as oldest
    from ${bossTable('queue')} q
    -- No job of ours is ever blocked, but only who says so is given the index of those that wait.
    left join ${bossTable('job')} j on j.name = q.name and j.state < 'active' and not j.blocked
    group by q.name
    order by q.name
  `);
}
