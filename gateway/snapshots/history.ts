import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/connection.ts';
import { isOutage } from '../../db/postgres/outage.ts';
import { findTimeline } from '../../db/queries/find-timeline.ts';

/**
 * Resolves with whether the database has another past than when it was last asked: after a failover
 * what is in memory may never have been.
 *
 * @throws Error when Postgres does not answer
 */
export type HasNewPast = () => Promise<boolean>;

export function createHistory(db: Db, log: Logger): HasNewPast {
  let last: string | null = null;
  return async () => {
    const timeline = await findTimeline(db).catch((error) => {
      if (isOutage(error)) throw error;
      // A service that lets nobody ask for it keeps failovers to itself.
      log.warn({ err: error }, 'could not tell whether the database has failed over');
      return null;
    });
    const isNew = timeline !== null && last !== null && timeline !== last;
    last = timeline ?? last;
    return isNew;
  };
}
