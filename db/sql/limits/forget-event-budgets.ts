import { type Db, sql } from '../../postgres/connection.ts';
import { constants } from '../../runtime/constants.ts';

/** Deletes budgets of the days before `day`, a batch at most, and returns how many. */
export function forgetEventBudgets(db: Db, day: string): Promise<number> {
  return db.run(sql.typeAlias('nothing')`
    delete from event_budgets where ctid = any (array(
      select ctid from event_budgets where day < ${day}::date limit ${constants.removalBatch}
    ))
  `);
}
