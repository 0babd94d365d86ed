import type { Constants } from '../runtime/constants.ts';
import type { OutageWatch } from '../runtime/log.ts';
import { rootCause } from '../runtime/root-cause.ts';
import { isOutage, TooManyStatementsError } from './outage.ts';
import { createPgClient } from './pg-client.ts';

/** Tells the log which errors are an outage of Postgres, and when the outage is over. */
export function createOutageWatch(
  databaseUrl: string,
  constants: Pick<Constants, 'readConnectionTimeout' | 'readStatementTimeout'>,
): OutageWatch {
  // When too many statements wait, Postgres is there all the same.
  const isBusy = (error: unknown) => rootCause(error) instanceof TooManyStatementsError;
  return {
    name: 'Postgres',
    includes: (error) => isOutage(error) && !isBusy(error),
    isBusy,
    isOver: async () => {
      const { client, close } = createPgClient(databaseUrl, {
        application_name: 'lavagna probe',
        connectionTimeoutMillis: constants.readConnectionTimeout,
        query_timeout: constants.readStatementTimeout,
      });
      try {
        await client.connect();
        await client.query('select 1');
        return true;
      } catch {
        return false;
      } finally {
        await close();
      }
    },
  };
}
