import { readFile } from 'node:fs/promises';
import { createDatabase } from '../../postgres/connection.ts';
import { operatorMessage } from '../../postgres/outage.ts';
import { createPgClient } from '../../postgres/pg-client.ts';
import type { Db } from '../../postgres/sql.ts';
import { type Config, ConfigError, readConfig, variables } from '../../runtime/config.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { findMissingQueues } from '../../sql/jobs.ts';
import { findMissing } from '../../sql/server.ts';
import { listTenants } from '../../sql/tenants.ts';
import { migrationFiles, type StartedDatabase, startDatabase } from '../database/migrate.ts';
import { bad, type Check, doubtful, good } from './check.ts';
import {
  checkClock,
  checkConnections,
  checkIds,
  checkMigrations,
  checkOwner,
  checkReplica,
  checkRights,
  checkVersion,
} from './database-checks.ts';
import { checkCertificate, checkDomain, checkOpenFiles, checkPorts } from './machine-checks.ts';
import { checkLibrary, checkPhotos } from './program-checks.ts';
import { checkPool, checkProxies } from './proxy-checks.ts';
import {
  checkListen,
  checkQueues,
  checkSnapshots,
  checkTenants,
  checkWorkers,
  checkWrites,
} from './work-checks.ts';

const STRUCTURE = 'structure';
const ADVICE = 'Restore it from a backup, or create it as its migration does.';

/** Tables and triggers, each by its name. */
interface Structure {
  tables: Set<string>;
  triggers: Set<string>;
}

/** A statement that makes or drops a table or a trigger. */
const STATEMENT = new RegExp(
  '^\\s*(create|drop)\\s+(?:or\\s+replace\\s+)?(?:unlogged\\s+|constraint\\s+)?(table|trigger)' +
    '\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?(\\w+)',
  'gim',
);
const RENAMED = /^\s*alter\s+table\s+(\w+)\s+rename\s+to\s+(\w+)/gim;

/** The structure that the migrations give to an empty database. */
export async function readStructure(): Promise<Structure> {
  const structure: Structure = { tables: new Set(), triggers: new Set() };
  for (const file of await migrationFiles()) {
    const text = await readFile(file, 'utf8');
    for (const [, verb = '', kind = '', name = ''] of text.matchAll(STATEMENT)) {
      const names = kind.toLowerCase() === 'table' ? structure.tables : structure.triggers;
      names[verb.toLowerCase() === 'create' ? 'add' : 'delete'](name);
    }
    for (const [, before = '', now = ''] of text.matchAll(RENAMED)) {
      if (structure.tables.delete(before)) structure.tables.add(now);
    }
  }
  return structure;
}

/** Whether the tables and triggers are there that the applied migrations made. */
async function checkStructure(db: Db): Promise<Check> {
  const { tables, triggers } = await readStructure();
  const absent = await findMissing(db, [...tables], [...triggers]);
  if (absent.length === 0) {
    return good(STRUCTURE, `All ${tables.size} tables and ${triggers.size} triggers are there.`);
  }
  const missing = absent.map(({ kind, name }) => `the ${kind} ${name}`).join(', ');
  return bad(STRUCTURE, `Missing, or switched off: ${missing}.`, ADVICE);
}

const NAMES = Object.keys(variables.entries);
/**
 * Names of so many letters may have two or three wrong ones, as TRUSTED_PROXY has; in shorter ones that
 * would be another word.
 */
const LONG_NAME = 8;
const LONGER_NAME = 12;
/** Longer names are no slip of the pen; it bounds the work, too. */
const LONGEST_NAME = Math.max(...NAMES.map((name) => name.length)) + 2;

/** The letters to add, leave out, change or swap with the next one, so that `a` becomes `b`. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (up: number, left: number) => rows[i - up]?.[j - left] ?? 0;
      const changed = at(1, 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? at(2, 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(changed, swapped, at(1, 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/** The variable of Lavagna that a name is nearly; undefined for other programs' names. */
function nearest(name: string): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const bound = name.length >= LONGER_NAME ? 3 : name.length >= LONG_NAME ? 2 : 1;
  const near = NAMES.map((known) => ({ known, far: distance(name.toUpperCase(), known) }));
  near.sort((a, b) => a.far - b.far);
  return near.find(({ far }) => far <= bound)?.known;
}

/** Names of variables that look like ours and are not: Lavagna passes over them without a word. */
function checkVariables(env: NodeJS.ProcessEnv): Check {
  const name = 'configuration';
  const given = Object.keys(env).filter((key) => env[key] && !NAMES.includes(key));
  const slips = given.flatMap((key) => {
    const meant = nearest(key);
    return meant === undefined ? [] : [{ key, meant }];
  });
  if (slips.length === 0) return good(name, 'Every variable has a value that is allowed.');
  const found = slips.map(({ key }) => key).join(', ');
  const meant = slips.map((slip) => slip.meant).join(', ');
  return doubtful(name, `Lavagna does not know ${found}.`, `Is ${meant} meant?`);
}

/** How long a connection or an answer may take, in ms. */
const PATIENCE = 10_000;

async function examineTables({ url, sessionUrl }: StartedDatabase, missing: readonly string[]) {
  await using db = await createDatabase(url, {
    maxConnections: 1,
    statementTimeout: PATIENCE,
    connectionTimeout: PATIENCE,
    hasNoSession: url !== sessionUrl,
  });
  const tenants = await listTenants(db, 1);
  return [
    await checkQueues(db, missing),
    await checkWrites(db),
    await checkSnapshots(db),
    checkTenants(tenants.map(({ slug }) => slug)),
  ];
}

/** Puts into `checks` what it finds, for as long as Postgres lets it. */
async function examineDatabase(config: Config, reached: StartedDatabase, checks: Check[]) {
  const { url, sessionUrl } = reached;
  await using session = createPgClient(sessionUrl, {
    application_name: 'lavagna',
    // As processes set them, so that a pooler which takes none of it refuses here, too.
    statement_timeout: PATIENCE,
    idle_in_transaction_session_timeout: PATIENCE,
    options: `-c statement_timeout=${PATIENCE}`,
  });
  const { client, db } = session;
  await client.connect();
  checks.push(await checkVersion(db), await checkConnections(db, config));
  const owner = await checkOwner(db);
  checks.push(owner);
  // A role that may not read the tables learns nothing of their rows.
  if (owner.state === 'bad') return;
  const rights = await checkRights(db);
  checks.push(rights);
  if (rights.state === 'bad') return;
  if (url !== sessionUrl) checks.push(await checkPool(url));
  const migrations = await checkMigrations(db);
  checks.push(migrations, await checkClock(db));
  const structure = migrations.state === 'bad' ? [] : [await checkStructure(db)];
  checks.push(...structure);
  checks.push(await checkListen(session, url));
  const replicaUrl = config.databaseReplicaUrl;
  if (replicaUrl !== undefined) checks.push(await checkReplica(db, replicaUrl));
  // Without its tables there is nothing more to look at.
  if (migrations.state === 'bad' || structure.some(({ state }) => state === 'bad')) return;
  checks.push(await checkIds(db), await checkProxies(db, config), await checkWorkers(db));
  checks.push(...(await examineTables(reached, await findMissingQueues(db))));
}

async function reachAndExamine(config: Config): Promise<Check[]> {
  const checks: Check[] = [];
  try {
    await using reached = await startDatabase(config, { role: 'call', mustExist: true });
    await examineDatabase(config, reached, checks);
    return checks;
  } catch (error) {
    const found = operatorMessage(error);
    if (found === undefined) throw error;
    const usual =
      config.databaseUrl === undefined
        ? 'Mend DATA_DIR, or let npm start create the data.'
        : 'Start Postgres, or mend DATABASE_URL or DATABASE_SESSION_URL; see also pg_hba.conf, poolers, firewalls.';
    const advice = (error instanceof OperatorError && error.advice) || usual;
    // The first one says that Postgres answers, which it has ceased to do.
    return [bad('database', found, advice), ...checks.slice(1)];
  }
}

/**
 * Looks at everything that an installation needs. It changes nothing, but starts an embedded
 * database that is down, for as long as it looks.
 *
 * @param programs checks of those that Lavagna brings
 */
export async function examine(env: NodeJS.ProcessEnv, programs = [checkLibrary, checkPhotos]) {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [bad('configuration', error.message, 'Mend the environment and ask again.')];
  }
  return [
    checkVariables(env),
    ...(await reachAndExamine(config)),
    await checkPorts(config),
    await checkDomain(config),
    checkCertificate(config, Date.now()),
    checkOpenFiles(await readFile('/proc/self/limits', 'utf8')),
    ...(await Promise.all(programs.map((check) => check()))),
  ];
}
