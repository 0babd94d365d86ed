import { createDriverFactory, type DriverCommand, type DriverFactory } from 'slonik';
import { constants } from '../runtime/constants.ts';
import type { DatabaseOptions } from './connection.ts';
import { CANCELLED_WAIT, OverdueError } from './outage.ts';
import { createPgClient } from './pg-client.ts';

/**
 * A driver for slonik on pg. The statements of slonik's own driver wait for ever when the server does
 * not answer; here such a statement fails and its connection is closed. A commit that only this
 * host has fails too: somebody cancelled its wait for a synchronous standby, and Postgres only warns.
 * There are no streams.
 */
export function createPgDriver({
  connectionTimeout,
  statementTimeout,
  hasNoSession = false,
}: Pick<
  DatabaseOptions,
  'connectionTimeout' | 'statementTimeout' | 'hasNoSession'
>): DriverFactory {
  return createDriverFactory(async ({ driverConfiguration }) => ({
    createPoolClient: async ({ clientEventEmitter }) => {
      const { client, sever } = createPgClient(driverConfiguration.connectionUri, {
        connectionTimeoutMillis: connectionTimeout,
        statement_timeout: statementTimeout,
        // The locks of an idle transaction block others.
        idle_in_transaction_session_timeout: constants.idleTimeout,
      });
      client.on('error', (error) => clientEventEmitter.emit('error', error));
      let isUnsafe = false;
      client.on('notice', ({ routine }) => {
        if (routine === CANCELLED_WAIT) isUnsafe = true;
      });
      return {
        connect: async () => {
          await client.connect();
        },
        end: () => client.end(),
        query: async (text, values, options) => {
          // Postgres cancels a slow statement. When it does not even do that, the connection is lost.
          const timer = setTimeout(sever, statementTimeout + constants.answerGrace);
          isUnsafe = false;
          try {
            const { command, fields, rowCount, rows } = await client.query({
              name: hasNoSession ? undefined : options?.name,
              text,
              values: values as unknown[],
            });
            if (isUnsafe) throw new OverdueError('the wait for the standby was cancelled');
            return {
              command: command as DriverCommand,
              fields: fields.map(({ name, dataTypeID }) => ({ name, dataTypeId: dataTypeID })),
              rowCount,
              rows,
            };
          } finally {
            clearTimeout(timer);
          }
        },
        stream: () => {
          throw new Error('this driver has no streams');
        },
      };
    },
  }));
}
