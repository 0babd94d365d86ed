import { createDriverFactory, type DriverCommand, type DriverFactory } from 'slonik';
import { constants } from '../runtime/constants.ts';
import type { DatabaseOptions } from './connection.ts';
import { createPgClient } from './pg-client.ts';

/**
 * slonik on pg, in the place of its own driver, whose statements wait for ever for a server that has
 * gone silent: here one that is not answered in time fails, and its connection is given up. Streams,
 * which nobody uses, are left out.
 */
export function createPgDriver({
  connectionTimeout,
  statementTimeout,
}: Pick<DatabaseOptions, 'connectionTimeout' | 'statementTimeout'>): DriverFactory {
  return createDriverFactory(async ({ driverConfiguration }) => ({
    createPoolClient: async ({ clientEventEmitter }) => {
      const { client, sever } = createPgClient(driverConfiguration.connectionUri, {
        connectionTimeoutMillis: connectionTimeout,
        statement_timeout: statementTimeout,
        // Its locks are in the way of others, and nobody may ever come back to it.
        idle_in_transaction_session_timeout: constants.idleTimeout,
      });
      client.on('error', (error) => clientEventEmitter.emit('error', error));
      return {
        connect: async () => {
          await client.connect();
        },
        end: () => client.end(),
        query: async (text, values, options) => {
          // Postgres itself ends what takes too long; a Postgres that does not answer even then is
          // not there, and neither is this connection.
          const timer = setTimeout(sever, statementTimeout + constants.answerGrace);
          try {
            const { command, fields, rowCount, rows } = await client.query({
              name: options?.name,
              text,
              values: values as unknown[],
            });
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
