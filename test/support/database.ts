import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '../../db/operator/database/migrate.ts';
import { closeConnections, keepConnections, type RunSql, statementsOf } from './sql.ts';

const template = 'lavagna_template';
/** After this time a connection was left open: a busy machine closes one in a small part of it. */
const leakBoundMs = 60_000;

export type TestDatabase = {
  url: string;
  /** Runs a statement on it. */
  sql: RunSql;
  /** Removes the database; fails the test when connections to it were left open. */
  drop: () => Promise<void>;
};

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('run this file with: node --import tsx test/run.ts <file>');
  return url;
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Connections of this process to the server itself, which are kept: it ends all the same. */
const pools = new Map<string, pg.Pool>();

function onServer(server: string): pg.Pool {
  const known = pools.get(server);
  if (known) return known;
  const pool = new pg.Pool({
    ...{ connectionString: server, application_name: 'test support' },
    ...{ idleTimeoutMillis: 0, allowExitOnIdle: true },
  });
  // A server that ends closes them.
  pool.on('error', () => undefined);
  pools.set(server, pool);
  return pool;
}

/** Creates the migrated database that all test databases are copies of. */
export async function createTemplate(server: string): Promise<void> {
  await onServer(server).query(`create database ${template}`);
  await migrate(urlOf(server, template));
  // A database with connections cannot be copied.
  await onServer(server).query(`alter database ${template} allow_connections false`);
}

async function createCopy(of: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = serverUrl();
  const { rows } = await onServer(server).query(
    `select current_setting('server_version_num')::int as number`,
  );
  // Postgres 14 has no other way.
  const strategy = rows[0].number < 150_000 ? '' : 'strategy file_copy';
  await onServer(server).query(`create database ${name} template ${of} ${strategy}`);
  const url = urlOf(server, name);
  keepConnections(url);
  return {
    url,
    sql: statementsOf(url),
    drop: async () => {
      await closeConnections(url);
      const leaked = await connectionsTo(onServer(server), name);
      await onServer(server).query(`drop database ${name} with (force)`);
      if (leaked.length > 0) throw new Error(`connections were left open:\n${leaked.join('\n')}`);
    },
  };
}

/** A database of the test file's own that is not migrated. */
export const createEmptyDatabase = () => createCopy('template0');

/** A migrated database of the test file's own, without a restaurant. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createCopy(template);
  const name = new URL(database.url).pathname.slice(1);
  // A copy lacks the settings that `migrate` gave the template.
  await onServer(serverUrl()).query(`alter database ${name} set jit = off`);
  return database;
}

async function connectionsTo(server: pg.Pool, database: string): Promise<string[]> {
  const bound = Date.now() + leakBoundMs;
  for (;;) {
    const { rows } = await server.query(
      `select application_name, state, query from pg_stat_activity
       where datname = $1 and backend_type = 'client backend'`,
      [database],
    );
    if (rows.length === 0 || Date.now() > bound) return rows.map((row) => JSON.stringify(row));
    await sleep(20);
  }
}
