import type { Logger } from 'pino';
import type { Constants } from '../runtime/constants.ts';
import { type Running, stopOnce } from '../runtime/running.ts';
import { createPgClient, type PgClient } from './pg-client.ts';
import { bindPg, type Db, sql, toPg } from './sql.ts';

/** Pause between the heartbeats of a connection that listens, in ms. */
const LISTEN_HEARTBEAT = 2_000;

/** One connection of its own, made again whenever it breaks. */
export interface DatabaseSession extends Running {
  /** Whether a statement can be sent now, as far as is known. */
  isOpen(): boolean;
  /**
   * Sends statements. They reject at once while the session is away. One that fails ends the session,
   * because whether it ran is unknown.
   */
  db: Db;
}

export interface SessionOptions {
  databaseUrl: string;
  /** The name under which Postgres shows it. */
  name: string;
  /** Milliseconds after which a statement counts as lost. */
  statementTimeout: number;
  /** Handles a notification's payload, by channel. */
  channels?: Record<string, (payload: string) => void>;
  /** Whether no other session has its name: one that is made again ends the one before it. */
  isSole?: boolean;
  /**
   * Called when it opens and opens again, and after a notification that could not be handled.
   */
  onOpen: () => void;
  /** Its heartbeat, a statement; by default an empty one. */
  beat?: (db: Db) => Promise<unknown>;
  /** Called when it breaks, or cannot be opened. */
  onAway?: (error: unknown) => void;
  log: Logger;
  constants: Pick<Constants, 'retryDelay' | 'readConnectionTimeout'>;
}

/** A session that was given up may have left a statement behind that has yet to run. */
const endPredecessors = sql.nothing`
  select from pg_stat_activity, pg_terminate_backend(pid, 1000)
  where application_name = current_setting('application_name') and pid <> pg_backend_pid()
`;

/**
 * Lets Postgres end a session, and free what it holds, when its machine is gone without a word: without
 * these settings that takes a quarter of an hour to two hours. A Unix socket ignores them.
 */
const END_WHEN_LOST =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3 ' +
  '-c tcp_user_timeout=10s';

const isAlive = (db: Db) => db.run(sql.nothing`select`);

/** Makes a connection a session: alone under its name, and listening. */
async function prepare({ client, db }: PgClient, options: SessionOptions): Promise<void> {
  await client.connect();
  if (options.isSole) await db.run(endPredecessors);
  for (const channel of Object.keys(options.channels ?? {})) {
    await db.run(sql.nothing`listen ${sql.identifier([channel])}`);
  }
}

function hear({ channels, onOpen, log }: SessionOptions, channel: string, payload = ''): void {
  try {
    channels?.[channel]?.(payload);
  } catch (error) {
    // Any database role can send a notification, and other releases send other payloads.
    log.error({ err: error, channel }, 'a notification could not be handled');
    onOpen();
  }
}

/** Opens a session as soon as Postgres can be reached. A heartbeat finds one that is lost but open. */
export function createDatabaseSession(options: SessionOptions): DatabaseSession {
  const { name, onOpen, onAway, beat = isAlive, log, constants } = options;
  let current: PgClient | undefined;
  let isOpen = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const drop = (broken: PgClient, error: unknown) => {
    if (current !== broken) return;
    current = undefined;
    isOpen = false;
    clearTimeout(timer);
    broken.close().catch((cause) => log.debug({ err: cause }, 'closing a session failed'));
    if (isStopped) return;
    log.warn({ err: error }, `the session ${name} is away`);
    timer = setTimeout(connect, constants.retryDelay);
    onAway?.(error);
  };

  const beatLater = (connection: PgClient) => {
    timer = setTimeout(() => {
      beat(connection.db).then(
        () => current === connection && beatLater(connection),
        (error) => drop(connection, error),
      );
    }, LISTEN_HEARTBEAT);
  };

  const connect = () => {
    const connection = createPgClient(options.databaseUrl, {
      application_name: name,
      connectionTimeoutMillis: constants.readConnectionTimeout,
      query_timeout: options.statementTimeout,
      options: END_WHEN_LOST,
    });
    const { client } = connection;
    current = connection;
    client.on('error', (error) => drop(connection, error));
    client.on('end', () => drop(connection, new Error('the connection ended')));
    client.on('notification', ({ channel, payload }) => hear(options, channel, payload));
    prepare(connection, options).then(
      () => {
        if (current !== connection) return;
        isOpen = true;
        beatLater(connection);
        onOpen();
      },
      (error) => drop(connection, error),
    );
  };

  connect();
  return {
    isOpen: () => isOpen,
    db: bindPg(async (statement) => {
      const connection = current;
      if (!connection || !isOpen) throw new Error(`the session ${name} is away`);
      try {
        return await connection.client.query(toPg(statement));
      } catch (error) {
        drop(connection, error);
        throw error;
      }
    }),
    ...stopOnce(async () => {
      isStopped = true;
      isOpen = false;
      clearTimeout(timer);
      const last = current;
      current = undefined;
      await last?.close();
    }),
  };
}

/**
 * A session that is open; `onOpen` is called when it is open again. @throws when the first attempt fails
 */
export function openSession(options: SessionOptions): Promise<DatabaseSession> {
  return new Promise((resolve, reject) => {
    let hasOpened = false;
    const session = createDatabaseSession({
      ...options,
      onOpen: () => {
        if (hasOpened) options.onOpen();
        hasOpened = true;
        resolve(session);
      },
      onAway: (error) => {
        if (hasOpened) options.onAway?.(error);
        else void session.stop().then(() => reject(error));
      },
    });
  });
}
