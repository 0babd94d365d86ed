import type pg from 'pg';
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
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const drop = ({ client: broken, sever }: PgClient, error: unknown) => {
    if (client !== broken) return;
    client = undefined;
    listening = false;
    clearTimeout(timer);
    broken.end().catch((cause) => log.debug({ err: cause }, 'closing a broken listener failed'));
    sever();
    if (stopped) return;
    log.warn({ err: error }, 'lost the connection that listens for changes');
    timer = setTimeout(connect, bounds.retryDelay);
  };

  const beat = (connection: PgClient) => {
    const { client: current } = connection;
    timer = setTimeout(() => {
      current.query('select 1').then(
        () => client === current && beat(connection),
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
    const { client: current } = connection;
    client = current;
    current.on('error', (error) => drop(connection, error));
    current.on('end', () => drop(connection, new Error('the connection ended')));
    current.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''));
    const listen = async () => {
      await current.connect();
      for (const channel of Object.keys(channels)) await current.query(`listen ${channel}`);
      if (client !== current) return;
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
      clearTimeout(timer);
      const current = client;
      client = undefined;
      await current?.end();
    },
  };
}
