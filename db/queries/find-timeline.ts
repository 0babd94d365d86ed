import * as v from 'valibot';
import { type Db, sql } from '../postgres/connection.ts';

const timelineSchema = v.object({ timeline: v.nullable(v.string()) });

/**
 * The number of the history that the server writes: a standby that is promoted begins another one, in
 * which the last writes of the lost primary may be missing and their versions be given again. Null
 * while the server writes none.
 */
export async function findTimeline(db: Db): Promise<string | null> {
  const { timeline } = await db.one(sql.type(timelineSchema)`
    select case when not pg_is_in_recovery()
      then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline
  `);
  return timeline;
}
