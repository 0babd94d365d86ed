import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/connection.ts';
import { isOutage } from '../../db/postgres/outage.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { findHistory } from '../../db/sql/snapshots/find-history.ts';
import { createBatcher } from '../batcher.ts';

/** Which history of versions the database has: after a failover or a restore it has another one. */
export interface History {
  /**
   * Asks the database. Those who ask at the same time are answered together.
   *
   * @throws Error when Postgres does not answer
   */
  check(): Promise<void>;
  /** The history as it was last read; null when it never was, or when the service hides it. */
  known(): string | null;
}

/** @param onNew called when the history is another one than before, before `check` resolves */
export function createHistory(
  db: Db,
  log: Logger,
  onNew: () => void,
  constants: Pick<Constants, 'maxResultsPerLookUp' | 'readPatience'>,
): History {
  let last: string | null = null;
  const limits = { maxItems: constants.maxResultsPerLookUp, timeout: constants.readPatience };
  const ask = createBatcher<null, void>(limits, async (asked) => {
    const history = await findHistory(db).catch((error) => {
      if (isOutage(error)) throw error;
      // Some services forbid the question and do not tell of failovers.
      log.warn({ err: error }, 'could not tell whether the database has failed over');
      return null;
    });
    const isNew = history !== null && last !== null && history !== last;
    last = history ?? last;
    if (isNew) {
      log.warn('Postgres has started anew, failed over or was restored; all menus are read again');
      onNew();
    }
    return asked.map(() => undefined);
  });
  return { check: () => ask(null), known: () => last };
}
