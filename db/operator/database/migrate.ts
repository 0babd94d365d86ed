import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type pg from 'pg';
import { inTransaction } from '../../postgres/connection.ts';
import {
  assertReachable,
  connectToDatabase,
  createPgClient,
  type PgClient,
} from '../../postgres/pg-client.ts';
import { type Db, sendOn } from '../../postgres/sql.ts';
import type { Config } from '../../runtime/config.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { type Running, stopOnce } from '../../runtime/running.ts';
import { findMissingQueues } from '../../sql/jobs.ts';
import {
  allowLongStatements,
  createMigrationsTable,
  findApplied,
  type MigrationRow,
  saveApplied,
  stopCompiling,
} from '../../sql/server.ts';
import { lockMigrations } from '../../sql/transactions.ts';
import { type EmbeddedOptions, startEmbedded } from './start-embedded.ts';

/** The folder of the migrations `NNN_name.sql`, which apply in the order of their names. */
const folder = new URL('../../migrations/', import.meta.url);

/** The first one makes all tables that an empty database lacks. */
const TABLES = '001_tables.sql';
/**
 * The checksum of a former text that makes the same, by the name of its file. The former text of the
 * tables was for Postgres 16 and later only.
 */
const REWORDED = new Map([
  [TABLES, 'f3e86d31d5d234db9ce6ae075faad67eaad63edfcf68cbf21dda64bbdeab480f'],
]);
/** The last migration of the release before, and what brings its tables and their data to `TABLES`. */
const FORMER = '029_indexes_of_rounds.sql';
const upgrade = new URL('upgrades/029.sql', folder);

/** The sentence for the operator by the code with which Postgres refuses a migration. */
const REFUSALS = new Map([
  ['42501', 'The database must belong to the role of DATABASE_URL'],
  ['25006', 'DATABASE_URL must lead to a database that takes changes, which a standby does not'],
  ['3F000', 'The search_path of the role of DATABASE_URL must name a schema that exists'],
  ['55P03', 'Somebody else holds a lock that the migration needs; try again when that is done'],
]);

interface Migration extends MigrationRow {
  text: string;
}

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
  // The lock is the session's and ends with it.
  await using session = createPgClient(databaseUrl, { application_name: 'lavagna' });
  const { client, db } = session;
  await client.connect();
  try {
    // A migration may take long, and so may another process that migrates before this one.
    await allowLongStatements(db);
    await lockMigrations(db);
    await createMigrationsTable(db);
    const applied = await findApplied(db);
    const problem = findProblem(migrations, applied);
    if (problem !== undefined) throw new OperatorError(problem);
    const pending = migrations.filter(({ name }) => !applied.has(name));
    for (const { name, text, checksum } of pending) {
      const isUpgrade = name === TABLES && isFormer(applied);
      const statements = isUpgrade ? await readFile(upgrade, 'utf8') : text;
      await apply(session, { name, text: statements, checksum });
    }
    await stopCompiling(db);
    // Other processes still wait. Most callers only look whether the database is migrated.
    const { installQueues } = await import('../../queue/queues.ts');
    await installQueues(databaseUrl);
    return pending.map(({ name }) => name);
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    const refusal = REFUSALS.get(code ?? '');
    if (refusal === undefined) throw error;
    throw new OperatorError(`${refusal}: ${message}.`, { cause: error });
  }
}

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

/** Whether a database has the migrations of the release before, and no others. */
function isFormer(applied: ReadonlyMap<string, string>): boolean {
  return applied.has(FORMER) && ![...applied.keys()].some((name) => name > FORMER);
}

/** Why these migrations cannot go on where the database's have ended, in a sentence. */
function findProblem(migrations: Migration[], applied: Map<string, string>): string | undefined {
  if (isFormer(applied)) return undefined;
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of applied) {
    if (!known.has(name)) {
      return (
        `The database has the migration ${name}, which this Lavagna does not know; ` +
        'it belongs to a newer one.'
      );
    }
    if (checksum !== known.get(name) && checksum !== REWORDED.get(name)) {
      return (
        `The migration ${name} has changed since it was applied to this database; ` +
        'restore the file and put the change into a new migration.'
      );
    }
  }
  return undefined;
}

/** Compares the database with this Lavagna's migrations, and changes nothing. */
export async function findPending(db: Db) {
  const migrations = await readMigrations();
  const applied = await findApplied(db);
  const pending = migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  return { pending, problem: findProblem(migrations, applied) };
}

async function apply({ client }: PgClient, migration: Migration): Promise<void> {
  try {
    await inTransaction(sendOn(client), async (tx) => {
      // A file has many statements, but the tag makes one at a time.
      await client.query(migration.text);
      await saveApplied(tx, migration);
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`The migration ${migration.name} failed: ${reason}.`, { cause });
  }
}

/**
 * Makes sure that the database has the schema of this Lavagna, neither an older nor a newer one, and
 * its queues.
 *
 * @throws {OperatorError} when it has not, or cannot be reached.
 */
export async function assertMigrated(databaseUrl: string): Promise<void> {
  await using connection = await connectToDatabase(databaseUrl);
  const { db } = connection;
  const { pending, problem } = await findPending(db);
  if (problem !== undefined) throw new OperatorError(problem);
  const missing = pending.length === 0 ? await findMissingQueues(db) : [];
  if (pending.length + missing.length === 0) return;
  const what = pending.length > 0 ? 'migrations' : 'queues';
  const names = [...pending, ...missing].join(', ');
  throw new OperatorError(
    `The database lacks the ${what} ${names}; run the command migrate first.`,
  );
}

/** A database that answers. `stop` ends an embedded server that no other program uses. */
export interface StartedDatabase extends Running {
  /** Of DATABASE_URL. */
  url: string;
  /** Of DATABASE_SESSION_URL, which has sessions. */
  sessionUrl: string;
}

/**
 * The database of DATABASE_URL, or without one the embedded server of DATA_DIR, started if it is
 * down, and created if there is none, unless it must exist.
 *
 * @throws {OperatorError} when it cannot be reached; the message has no password.
 */
export async function startDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseSessionUrl' | 'dataDir'>,
  use: Pick<EmbeddedOptions, 'role' | 'mustExist'>,
): Promise<StartedDatabase> {
  const { databaseUrl, databaseSessionUrl = databaseUrl, dataDir } = config;
  if (databaseUrl === undefined || databaseSessionUrl === undefined) {
    const embedded = await startEmbedded({ dataDir, ...use });
    return { ...embedded, sessionUrl: embedded.url };
  }
  await assertReachable(databaseUrl, databaseSessionUrl);
  return { url: databaseUrl, sessionUrl: databaseSessionUrl, ...stopOnce(async () => {}) };
}
