import { readFile } from 'node:fs/promises';
import { createDatabase } from '../../postgres/connection.ts';
import { operatorMessage } from '../../postgres/operator-message.ts';
import { createPgClient } from '../../postgres/pg-client.ts';
import { findMissingQueues } from '../../queue/queues.ts';
import { type Config, ConfigError, readConfig } from '../../runtime/config.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { listTenants } from '../../sql/tenants.ts';
import { type StartedDatabase, startDatabase } from '../database/start-database.ts';
import { bad, type Check } from './check.ts';
import {
  checkClock,
  checkConnections,
  checkMigrations,
  checkOwner,
  checkVersion,
} from './database-checks.ts';
import { checkLibrary } from './library-check.ts';
import { checkCertificate, checkDomain, checkOpenFiles, checkPorts } from './machine-checks.ts';
import { checkReplica } from './replica-check.ts';
import { checkStructure } from './structure-check.ts';
import { checkVariables } from './variables-check.ts';
import {
  checkListen,
  checkQueues,
  checkSnapshots,
  checkTenants,
  checkWorkers,
  checkWrites,
} from './work-checks.ts';

/** How long a connection or an answer may take, in ms. */
const PATIENCE = 10_000;

async function examineTables(
  { url, sessionUrl }: StartedDatabase,
  missing: string[],
): Promise<Check[]> {
  const db = await createDatabase(url, {
    maxConnections: 1,
    statementTimeout: PATIENCE,
    connectionTimeout: PATIENCE,
    hasNoSession: url !== sessionUrl,
  });
  try {
    const tenants = await listTenants(db, 1);
    return [
      await checkQueues(db, missing),
      await checkWrites(db),
      await checkSnapshots(db),
      checkTenants(tenants.map(({ slug }) => slug)),
    ];
  } finally {
    await db.end();
  }
}

/** Puts into `checks` what it finds, for as long as Postgres lets it. */
async function examineDatabase(
  config: Config,
  reached: StartedDatabase,
  checks: Check[],
): Promise<void> {
  const { url, sessionUrl } = reached;
  const session = createPgClient(sessionUrl, {
    application_name: 'lavagna',
    // As processes set them, so that a pooler which takes none of it refuses here, too.
    statement_timeout: PATIENCE,
    idle_in_transaction_session_timeout: PATIENCE,
    options: `-c statement_timeout=${PATIENCE}`,
  });
  const { client, db } = session;
  await client.connect();
  try {
    checks.push(await checkVersion(db), await checkConnections(db, config));
    const owner = await checkOwner(db);
    checks.push(owner);
    // A role that may not read the tables learns nothing of their rows.
    if (owner.state === 'bad') return;
    const migrations = await checkMigrations(db);
    checks.push(migrations, await checkClock(db));
    const structure = migrations.state === 'bad' ? [] : [await checkStructure(db)];
    checks.push(...structure);
    checks.push(await checkListen(session, url));
    const replicaUrl = config.databaseReplicaUrl;
    if (replicaUrl !== undefined) checks.push(await checkReplica(db, replicaUrl));
    // Without its tables there is nothing more to look at.
    if (migrations.state === 'bad' || structure.some(({ state }) => state === 'bad')) return;
    checks.push(await checkWorkers(db));
    checks.push(...(await examineTables(reached, await findMissingQueues(db))));
  } finally {
    await client.end();
  }
}

async function reachAndExamine(config: Config): Promise<Check[]> {
  const checks: Check[] = [];
  try {
    const reached = await startDatabase(config, { role: 'call', mustExist: true });
    try {
      await examineDatabase(config, reached, checks);
    } finally {
      await reached.stop();
    }
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
 */
export async function examine(env: NodeJS.ProcessEnv): Promise<Check[]> {
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
    await checkLibrary(),
  ];
}
