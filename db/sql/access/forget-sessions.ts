import { type Db, sql } from '../../postgres/connection.ts';
import { constants } from '../../runtime/constants.ts';
import { isSessionAlive } from './create-session.ts';

/** Deletes sessions that are over, at most `removalBatch`, and returns how many. */
export function forgetSessions(db: Db): Promise<number> {
  return db.run(sql.typeAlias('nothing')`
    delete from sessions where ctid = any (array(
      select ctid from sessions where not ${isSessionAlive}
      limit ${constants.removalBatch} for update skip locked
    ))
  `);
}
