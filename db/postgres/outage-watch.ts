import type { Constants } from '../runtime/constants.ts';
import type { OutageWatch } from '../runtime/log.ts';
import { rootCause } from '../runtime/operator-error.ts';
import { isOutage, TooManyStatementsError } from './outage.ts';
import { createPgClient } from './pg-client.ts';
import { sql } from './sql.ts';

type WatchConstants = Pick<Constants, 'readConnectionTimeout' | 'readStatementTimeout'>;

async function answers(databaseUrl: string, constants: WatchConstants): Promise<boolean> {
  await using probe = createPgClient(databaseUrl, {
    application_name: 'lavagna probe',
    connectionTimeoutMillis: constants.readConnectionTimeout,
    query_timeout: constants.readStatementTimeout,
  });
  try {
    await probe.client.connect();
    await probe.db.run(sql.nothing`select`);
    return true;
  } catch {
    return false;
  }
}

/**
 * Tells the log which errors are an outage of Postgres, and when the outage is over.
 *
 * @param databaseUrls all ways to the database; the outage is over when each of them answers
 */
export function createOutageWatch(
  databaseUrls: ReadonlySet<string>,
  constants: WatchConstants,
): OutageWatch {
  // When too many statements wait, Postgres is there all the same.
  const isBusy = (error: unknown) => rootCause(error) instanceof TooManyStatementsError;
  return {
    name: 'Postgres',
    includes: (error) => isOutage(error) && !isBusy(error),
    isBusy,
    isOver: async () => {
      const ways = [...databaseUrls].map((url) => answers(url, constants));
      return (await Promise.all(ways)).every(Boolean);
    },
  };
}
