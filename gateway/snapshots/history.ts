import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/connection.ts';
import { isOutage } from '../../db/postgres/outage.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { findHistory } from '../../db/sql/snapshots/find-history.ts';
import { createBatcher } from '../batcher.ts';

/**
 * Asks whether the database has another past than when it was last asked: after a failover or a restore
 * what is in memory may never have been. Those who ask together are answered together.
 *
 * @throws Error when Postgres does not answer
 */
export type CheckHistory = () => Promise<void>;

/** @param onNewPast called for each new past, before those who asked go on */
export function createHistory(
  db: Db,
  log: Logger,
  onNewPast: () => void,
  constants: Pick<Constants, 'maxResultsPerLookUp' | 'readPatience'>,
): CheckHistory {
  let last: string | null = null;
  const limits = { maxItems: constants.maxResultsPerLookUp, timeout: constants.readPatience };
  const ask = createBatcher<null, void>(limits, async (asked) => {
    const history = await findHistory(db).catch((error) => {
      if (isOutage(error)) throw error;
      // A service that lets nobody ask for it keeps failovers to itself.
      log.warn({ err: error }, 'could not tell whether the database has failed over');
      return null;
    });
    const isNew = history !== null && last !== null && history !== last;
    last = history ?? last;
    if (isNew) {
      log.warn('Postgres has started anew, failed over or was restored; all menus are read again');
      onNewPast();
    }
    return asked.map(() => undefined);
  });
  return () => ask(null);
}
