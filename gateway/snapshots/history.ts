import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/connection.ts';
import { isOutage } from '../../db/postgres/outage.ts';
import { findHistory } from '../../db/queries/find-history.ts';

/**
 * Resolves with whether the database has another past than when it was last asked: after a failover or
 * a restore what is in memory may never have been.
 *
 * @throws Error when Postgres does not answer
 */
export type HasNewPast = () => Promise<boolean>;

export function createHistory(db: Db, log: Logger): HasNewPast {
  let last: string | null = null;
  return async () => {
    const history = await findHistory(db).catch((error) => {
      if (isOutage(error)) throw error;
      // A service that lets nobody ask for it keeps failovers to itself.
      log.warn({ err: error }, 'could not tell whether the database has failed over');
      return null;
    });
    const isNew = history !== null && last !== null && history !== last;
    last = history ?? last;
    return isNew;
  };
}
