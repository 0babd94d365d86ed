import type { Logger } from 'pino';
import type { Constants } from '../runtime/constants.ts';
import { createPgClient, type PgClient } from './pg-client.ts';

/** One connection for few, frequent statements: made again whenever it breaks. */
export interface ReconnectingConnection {
  /** Whether a statement can be sent now. */
  ready(): boolean;
  /**
   * Runs a statement that is prepared once under `name`; rows are arrays of its columns. Rejects at
   * once when the connection is away, and when it breaks or stalls; the statement may have run.
   */
  query<Row extends unknown[]>(name: string, text: string, values: unknown[]): Promise<Row[]>;
  /** Closes the connection; harmless when repeated. */
  stop(): Promise<void>;
}

export interface ReconnectingConnectionOptions {
  databaseUrl: string;
  /** Names the owner of the connection: no other may have the same. */
  name: string;
  /** Milliseconds after which a statement counts as lost. */
  statementTimeout: number;
  /** Called each time that a connection that was lost is back. */
  onBack: () => void;
  log: Logger;
  constants: Pick<Constants, 'retryDelay' | 'readConnectionTimeout'>;
}

/**
 * A connection that was given up may have left a statement behind that has yet to run; it must not
 * run after those of the connection that takes its place.
 */
const endPredecessors = `
select pg_terminate_backend(pid, 1000) from pg_stat_activity
where application_name = current_setting('application_name') and pid <> pg_backend_pid()`;

/** Opens the connection; rejects when the first attempt fails. */
export async function createReconnectingConnection(
  options: ReconnectingConnectionOptions,
): Promise<ReconnectingConnection> {
  const { log, constants } = options;
  let current: PgClient | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  const discard = (connection: PgClient) => {
    connection.close().catch((cause) => log.debug({ err: cause }, 'closing a connection failed'));
  };

  const retryLater = () => {
    if (!stopped) retry = setTimeout(() => void reconnect(), constants.retryDelay);
  };

  const reconnect = async () => {
    try {
      await connect();
    } catch (error) {
      log.debug({ err: error }, `could not make the connection ${options.name}`);
      retryLater();
      return;
    }
    if (current) options.onBack();
  };

  const drop = (broken: PgClient, error: unknown) => {
    if (current !== broken) return;
    current = undefined;
    discard(broken);
    if (stopped) return;
    log.warn({ err: error }, `lost the connection ${options.name}`);
    retryLater();
  };

  const connect = async () => {
    const connection = createPgClient(options.databaseUrl, {
      application_name: options.name,
      connectionTimeoutMillis: constants.readConnectionTimeout,
      query_timeout: options.statementTimeout,
    });
    const { client } = connection;
    client.on('error', (error) => drop(connection, error));
    client.on('end', () => drop(connection, new Error('the connection ended')));
    try {
      await client.connect();
      await client.query(endPredecessors);
    } catch (error) {
      discard(connection);
      throw error;
    }
    if (stopped) return discard(connection);
    current = connection;
  };

  await connect();
  return {
    ready: () => current !== undefined,
    query: async (name, text, values) => {
      const connection = current;
      if (!connection) throw new Error(`the connection ${options.name} is away`);
      try {
        const { rows } = await connection.client.query({ name, text, values, rowMode: 'array' });
        return rows as never;
      } catch (error) {
        // Whether it ran is unknown, and so is the state of the connection.
        drop(connection, error);
        throw error;
      }
    },
    stop: async () => {
      stopped = true;
      clearTimeout(retry);
      const last = current;
      current = undefined;
      await last?.close();
    },
  };
}
