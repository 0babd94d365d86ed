import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type pg from 'pg';
import { advisoryLocks } from '../../postgres/advisory-locks.ts';
import { connectToDatabase, createPgClient } from '../../postgres/pg-client.ts';
import { findMissingQueues, installQueues } from '../../queue/queues.ts';
import { OperatorError } from '../../runtime/operator-error.ts';

/** The folder of the migrations `NNN_name.sql`, which apply in the order of their names. */
const folder = new URL('../../migrations/', import.meta.url);

/** The sentence for the operator by the code with which Postgres refuses a migration. */
const REFUSALS = new Map([
  ['42501', 'The database must belong to the role of DATABASE_URL'],
  ['25006', 'DATABASE_URL must lead to a database that takes changes, which a standby does not'],
  ['3F000', 'The search_path of the role of DATABASE_URL must name a schema that exists'],
  ['55P03', 'Somebody else holds a lock that the migration needs; try again when that is done'],
]);

type Migration = { name: string; text: string; checksum: string };

/**
 * Brings the database to the schema and the queues of this Lavagna. It applies the migrations that the
 * database lacks, each in a transaction of its own, and returns their names. Processes that call it at
 * the same time wait for each other.
 *
 * @throws {OperatorError} when an applied file has changed or is unknown here; when the role may not
 *   create tables or has no schema for them; when the database is read-only; when the role's
 *   `lock_timeout` has passed
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const migrations = await readMigrations();
  const { client } = createPgClient(databaseUrl, { application_name: 'lavagna' });
  await client.connect();
  try {
    // A migration may take long, and so may another process that migrates before this one.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations]);
    await createHistory(client);
    const applied = await readApplied(client);
    const problem = findProblem(migrations, applied);
    if (problem !== undefined) throw new OperatorError(problem);
    const pending = migrations.filter(({ name }) => !applied.has(name));
    for (const migration of pending) await apply(client, migration);
    // Other processes still wait.
    await installQueues(databaseUrl);
    return pending.map(({ name }) => name);
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    const refusal = REFUSALS.get(code ?? '');
    if (refusal === undefined) throw error;
    throw new OperatorError(`${refusal}: ${message}.`, { cause: error });
  } finally {
    // The lock is the session's and ends with it.
    await client.end();
  }
}

/** The files of all migrations, in their order. */
export async function migrationFiles(): Promise<URL[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{3}_.*\.sql$/.test(name)).sort();
  return names.map((name) => new URL(name, folder));
}

async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await migrationFiles()).map(async (file) => {
      const name = basename(file.pathname);
      const text = await readFile(file, 'utf8');
      return { name, text, checksum: hash('sha256', text) };
    }),
  );
}

async function createHistory(client: pg.Client): Promise<void> {
  await client.query(`
    create table if not exists schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Why these migrations cannot go on where the database's have ended, in a sentence. */
function findProblem(migrations: Migration[], applied: Map<string, string>): string | undefined {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of applied) {
    if (!known.has(name)) {
      return (
        `The database has the migration ${name}, which this Lavagna does not know; ` +
        'it belongs to a newer one.'
      );
    }
    if (known.get(name) !== checksum) {
      return (
        `The migration ${name} has changed since it was applied to this database; ` +
        'restore the file and put the change into a new migration.'
      );
    }
  }
  return undefined;
}

/** Compares the database with this Lavagna's migrations, and changes nothing. */
export async function findPending(
  client: pg.Client,
): Promise<{ pending: string[]; problem: string | undefined }> {
  const migrations = await readMigrations();
  const { rows } = await client.query(`select to_regclass('schema_migrations') is not null as has`);
  const applied = rows[0]?.has ? await readApplied(client) : new Map<string, string>();
  const pending = migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  return { pending, problem: findProblem(migrations, applied) };
}

async function apply(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(text);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`The migration ${name} failed: ${reason}.`, { cause });
  }
}

/**
 * Makes sure that the database has the schema of this Lavagna, neither an older nor a newer one, and
 * its queues.
 *
 * @throws {OperatorError} when it has not, or cannot be reached.
 */
export async function assertMigrated(databaseUrl: string): Promise<void> {
  const { client, close } = await connectToDatabase(databaseUrl);
  try {
    const { pending, problem } = await findPending(client);
    if (problem !== undefined) throw new OperatorError(problem);
    const missing = pending.length === 0 ? await findMissingQueues(client) : [];
    if (pending.length + missing.length === 0) return;
    const what = pending.length > 0 ? 'migrations' : 'queues';
    const names = [...pending, ...missing].join(', ');
    throw new OperatorError(
      `The database lacks the ${what} ${names}; run the command migrate first.`,
    );
  } finally {
    await close();
  }
}
