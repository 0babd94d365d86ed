import type { Logger } from 'pino';
import { bounds } from './bounds.ts';
import { createPgClient, type PgClient } from './pg-client.ts';

export interface Listener {
  /** Whether notifications arrive now, as far as is known. */
  isListening(): boolean;
  /** Stops listening and closes the connection; harmless when repeated. */
  stop(): Promise<void>;
}

export interface ListenerOptions {
  databaseUrl: string;
  /** What to do with a notification's payload, by channel. */
  channels: Record<string, (payload: string) => void>;
  /** Called each time that listening begins: notifications sent before it were not received. */
  onListening: () => void;
  log: Logger;
}

/**
 * Keeps one connection that listens on `channels`, and makes it again whenever it breaks. A
 * connection that went silent without closing (a lost network, a frozen server) is found by a
 * heartbeat.
 */
export function createListener(options: ListenerOptions): Listener {
  const { channels, log } = options;
  let stopped = false;
  let listening = false;
  let current: PgClient | undefined;
  let timer: NodeJS.Timeout | undefined;

  const drop = (broken: PgClient, error: unknown) => {
    if (current !== broken) return;
    current = undefined;
    listening = false;
    clearTimeout(timer);
    broken.close().catch((cause) => log.debug({ err: cause }, 'closing a broken listener failed'));
    if (stopped) return;
    log.warn({ err: error }, 'lost the connection that listens for changes');
    timer = setTimeout(connect, bounds.retryDelay);
  };

  const beat = (connection: PgClient) => {
    timer = setTimeout(() => {
      connection.client.query('select 1').then(
        () => current === connection && beat(connection),
        (error) => drop(connection, error),
      );
    }, bounds.listenHeartbeat);
  };

  const connect = () => {
    const connection = createPgClient(options.databaseUrl, {
      application_name: 'lavagna listener',
      connectionTimeoutMillis: bounds.readConnectionTimeout,
      query_timeout: bounds.readStatementTimeout,
    });
    const { client } = connection;
    current = connection;
    client.on('error', (error) => drop(connection, error));
    client.on('end', () => drop(connection, new Error('the connection ended')));
    client.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''));
    const listen = async () => {
      await client.connect();
      for (const channel of Object.keys(channels)) await client.query(`listen ${channel}`);
      if (current !== connection) return;
      listening = true;
      options.onListening();
      beat(connection);
    };
    listen().catch((error) => drop(connection, error));
  };

  connect();
  return {
    isListening: () => listening,
    stop: async () => {
      stopped = true;
      listening = false;
      clearTimeout(timer);
      const last = current;
      current = undefined;
      await last?.close();
    },
  };
}
