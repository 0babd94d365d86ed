import type pg from 'pg';
import type { Logger } from 'pino';
import type { Constants } from '../runtime/constants.ts';
import { createPgClient, type PgClient } from './pg-client.ts';

export interface Listener {
  /** Whether the connection listens now, as far as is known. */
  isListening(): boolean;
  /** Stops listening and closes the connection; harmless when repeated. */
  stop(): Promise<void>;
}

export interface ListenerOptions {
  databaseUrl: string;
  /** Handles a notification's payload, by channel. */
  channels: Record<string, (payload: string) => void>;
  /**
   * Called when notifications may have been missed: each time that listening begins, and after a
   * notification that could not be handled.
   */
  onMissed: () => void;
  /** Sent with each heartbeat in place of a mere question, and once before the connection listens. */
  beat?: (client: pg.Client) => Promise<unknown>;
  log: Logger;
  constants: Pick<
    Constants,
    'retryDelay' | 'listenHeartbeat' | 'readConnectionTimeout' | 'readStatementTimeout'
  >;
}

const isAlive = (client: pg.Client) => client.query('select 1');

/**
 * Keeps one connection that listens on `channels`, and reconnects when it breaks. A heartbeat finds a
 * connection that is lost but not closed, such as after a network failure.
 */
export function createListener(options: ListenerOptions): Listener {
  const { channels, onMissed, beat, log, constants } = options;
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
    timer = setTimeout(connect, constants.retryDelay);
  };

  const scheduleHeartbeat = (connection: PgClient) => {
    timer = setTimeout(() => {
      (beat ?? isAlive)(connection.client).then(
        () => current === connection && scheduleHeartbeat(connection),
        (error) => drop(connection, error),
      );
    }, constants.listenHeartbeat);
  };

  const connect = () => {
    const connection = createPgClient(options.databaseUrl, {
      application_name: 'lavagna listener',
      connectionTimeoutMillis: constants.readConnectionTimeout,
      query_timeout: constants.readStatementTimeout,
    });
    const { client } = connection;
    current = connection;
    client.on('error', (error) => drop(connection, error));
    client.on('end', () => drop(connection, new Error('the connection ended')));
    client.on('notification', ({ channel, payload }) => {
      try {
        channels[channel]?.(payload ?? '');
      } catch (error) {
        // Any database role can send a notification, and other releases send other payloads.
        log.error({ err: error, channel }, 'a notification could not be handled');
        onMissed();
      }
    });
    const listen = async () => {
      await client.connect();
      await beat?.(client);
      for (const channel of Object.keys(channels)) await client.query(`listen ${channel}`);
      if (current !== connection) return;
      listening = true;
      onMissed();
      scheduleHeartbeat(connection);
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
