import { type Db, sql } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { queues } from '../../schema/queues.ts';
import { bossTable } from './boss-table.ts';

const queue = bossTable('queue');
const job = bossTable('job');
const names = sql.array(Object.values(queues), 'text');

/**
 * Brings back to the present what pg-boss stamped before Postgres' clock was set back. Until that
 * clock has come there again, no worker would supervise the queues: jobs of killed workers would stay
 * claimed, and jobs that wait would not begin. While the clock runs on, no stamp lies ahead. Takes
 * 50 ms where 100,000 jobs wait.
 */
export async function correctJobTimes(db: Db): Promise<void> {
  await db.run(sql.nothing`
    update ${queue} set
      monitor_claim_on = least(monitor_claim_on, now()),
      monitor_on = least(monitor_on, now()),
      maintain_on = least(maintain_on, now())
    where greatest(monitor_claim_on, monitor_on, maintain_on) > now() + interval '10 seconds'
  `);
  // As pg-boss' index of waiting jobs has it.
  await db.run(sql.nothing`
    update ${job} set start_after = now()
    where name = any (${names}) and state < 'active' and not blocked
      and start_after > now() + make_interval(secs => ${constants.latestStartSeconds})
  `);
  await db.run(sql.nothing`
    update ${job} set
      started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
    where name = any (${names}) and state = 'active'
      and greatest(started_on, heartbeat_on) > now() + interval '10 seconds'
  `);
}
