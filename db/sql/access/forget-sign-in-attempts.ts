import { type Db, sql } from '../../postgres/connection.ts';
import { constants } from '../../runtime/constants.ts';

/**
 * Deletes windows of failed sign-ins that are over, at most `removalBatch`, and returns how many. A
 * window that begins in the future is over, too: Postgres' clock was set back.
 */
export function forgetSignInAttempts(db: Db): Promise<number> {
  const seconds = constants.signInWindow / 1_000;
  return db.run(sql.typeAlias('nothing')`
    delete from sign_in_attempts where ctid = any (array(
      select ctid from sign_in_attempts
      where started_at not between now() - make_interval(secs => ${seconds})
        and now() + interval '1 minute'
      limit ${constants.removalBatch} for update skip locked
    ))
  `);
}
