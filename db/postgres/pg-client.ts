import { Socket } from 'node:net';
import pg from 'pg';
import * as v from 'valibot';
import { constants } from '../runtime/constants.ts';
import { describeDatabaseUrl, readDatabaseUrl } from '../runtime/database-url.ts';
import { keysOf } from '../runtime/keys.ts';
import { memoize } from '../runtime/memoize.ts';
import { OperatorError, rootCause } from '../runtime/operator-error.ts';
import { withTimeout } from '../runtime/running.ts';
import { createPrimaryFinder, isStandby, streamTo } from './primary.ts';
import { type Db, dbOf, sql } from './sql.ts';

/** How long a process or a command waits for the database when it starts, in ms. */
const CONNECT_TIMEOUT = 10_000;

// Versions, counts and prices stay far below 2^53; a date is a day of the calendar, not a moment.
// These hold for all connections, those of pg-boss too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, String);

/** Shared by all of a process's pools, which open their connections at about the same time. */
const finderOf = memoize((databaseUrl: string) => {
  const { url, servers } = readDatabaseUrl(databaseUrl);
  return createPrimaryFinder(url, servers);
});

/**
 * The way to the database of `databaseUrl`. Where that names several hosts, each new connection goes
 * to the one of them that takes writes at that moment.
 */
export function connectionSettings(databaseUrl: string) {
  const { url, servers } = readDatabaseUrl(databaseUrl);
  if (servers.length === 1) return { connectionString: url, stream: () => new Socket() };
  return { connectionString: url, stream: streamTo(finderOf(databaseUrl)) };
}

export interface PgClient extends AsyncDisposable {
  client: pg.Client;
  db: Db;
  /** Closes the connection in order, or the socket when Postgres does not answer. */
  close(): Promise<void>;
}

/** A connection of its own, not yet made. */
export function createPgClient(databaseUrl: string, config: pg.ClientConfig): PgClient {
  const client = new pg.Client({ ...config, ...connectionSettings(databaseUrl), keepAlive: true });
  const { stream: socket } = client.connection;
  // A broken connection rejects its statements. Without a listener the event would end the process.
  client.on('error', () => undefined);
  const close = async () => {
    await withTimeout(constants.answerGrace, client.end(), () => undefined);
    socket.destroy();
  };
  return { client, db: dbOf(client), close, [Symbol.asyncDispose]: close };
}

/** Settings without which our statements fail or mean something else, and how each must begin. */
const SETTINGS = {
  server_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  DateStyle: 'ISO',
  default_transaction_isolation: 'read committed',
  array_nulls: 'on',
};

const settingSchema = v.object({
  name: v.picklist(keysOf(SETTINGS)),
  value: v.string(),
});

/** @throws {OperatorError} for a setting of server, database or role that does not suit Lavagna */
async function assertSettings(db: Db, database: string): Promise<void> {
  const names = keysOf(SETTINGS);
  const found = await db.any(sql.type(settingSchema)`
    select name, current_setting(name) as value from unnest(${sql.array(names, 'text')}) as name
  `);
  for (const { name, value } of found) {
    const wanted = SETTINGS[name];
    if (value.startsWith(wanted)) continue;
    throw new OperatorError(`${database} has ${name} ${value}; Lavagna needs ${wanted}.`, {
      advice:
        name === 'server_encoding'
          ? "Create a database with encoding 'UTF8' (template0) and move the data there."
          : `Give the role its own: alter role … set ${name} = '${wanted}'; then connect again. The ` +
            'options of the URL may hold it, too.',
    });
  }
}

/**
 * A connection on which the database of a URL has answered.
 *
 * @param variable that holds the URL
 * @throws {OperatorError} when it cannot be reached or does not suit; the message has no password.
 */
export async function connectToDatabase(
  databaseUrl: string,
  variable = 'DATABASE_URL',
): Promise<PgClient> {
  const database = `The database at ${describeDatabaseUrl(databaseUrl)} (${variable})`;
  let connection: PgClient | undefined;
  try {
    // This fails already when the URL names a certificate's file that does not exist.
    connection = createPgClient(databaseUrl, {
      application_name: 'lavagna',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: CONNECT_TIMEOUT,
    });
    await connection.client.connect();
    if (await isStandby(connection.db)) {
      throw new OperatorError(`${database} is a standby; name the server that takes writes, too.`);
    }
    await assertSettings(connection.db, database);
    return connection;
  } catch (cause) {
    await connection?.close();
    if (cause instanceof OperatorError) throw cause;
    const reason = rootCause(cause)?.message;
    throw new OperatorError(`${database} cannot be reached: ${reason}.`, { cause });
  }
}

/** Server and database of a connection. */
function identify({ db }: PgClient): Promise<string> {
  return db.one(sql.value(v.string())`
    select system_identifier || '/' || current_database() as name from pg_control_system()
  `);
}

/**
 * Makes sure that the database answers at DATABASE_URL and at DATABASE_SESSION_URL, where that differs.
 *
 * @throws {OperatorError} as `connectToDatabase` does, and when these are two databases
 */
export async function assertReachable(databaseUrl: string, sessionUrl: string): Promise<void> {
  await using connection = await connectToDatabase(databaseUrl);
  if (sessionUrl === databaseUrl) return;
  await using session = await connectToDatabase(sessionUrl, 'DATABASE_SESSION_URL');
  if ((await identify(connection)) === (await identify(session))) return;
  throw new OperatorError('DATABASE_URL and DATABASE_SESSION_URL lead to different databases.');
}
