import { type Db, sql } from '../../postgres/connection.ts';
import { constants } from '../../runtime/constants.ts';

/**
 * Deletes a bounded number of the ids that were remembered before `day`, and says how many.
 *
 * @param day `YYYY-MM-DD`
 */
export function forgetEventIds(db: Db, day: string): Promise<number> {
  return db.run(sql.typeAlias('nothing')`
    delete from analytics_event_ids where ctid = any (array(
      select ctid from analytics_event_ids where seen_on < ${day}::date
      limit ${constants.idsPerDeletion}
    ))
  `);
}
