import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { queues } from '../../schema/queues.ts';
import { bossTable } from '../jobs/boss-table.ts';

/**
 * When the oldest job of events that is still to be done was sent, those put aside among them; null
 * when there is none. One that was put aside, or put back, has a new date of its own: its first event
 * occurred no more than moments after it was sent.
 */
export function findOldestEventJob(db: Db): Promise<Date | null> {
  return db.one(sql.value(v.nullable(v.date()))`
    select min(
      case when source_id is null and source_root_id is null then created_on
        else to_timestamp((data->'occurred_at'->>0)::float8 / 1000) end
    ) as oldest
    from ${bossTable('job')}
    where name in (${queues.analyticsEvents}, ${queues.analyticsEventsFailed})
      and state < 'completed'
  `);
}
