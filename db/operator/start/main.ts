// `npm start`: everything that Lavagna needs, from an empty machine to URLs that answer.

import { once } from 'node:events';
import { createDatabase } from '../../postgres/connection.ts';
import { operatorMessage } from '../../postgres/operator-message.ts';
import { assertCertificate } from '../../runtime/certificate.ts';
import { type Config, readConfig } from '../../runtime/config.ts';
import { constants } from '../../runtime/constants.ts';
import { isClosed, writeOut } from '../../runtime/output.ts';
import { stopOnSignal } from '../../runtime/stop-signals.ts';
import { type ListedTenant, listTenants } from '../../sql/tenants.ts';
import { migrate } from '../database/migrate.ts';
import { startDatabase } from '../database/start-database.ts';
import { plantDemo } from '../demo/plant-demo.ts';
import { addresses, firstIsReady } from './announce.ts';
import { assertPortsFree } from './ports.ts';
import { type Process, planProcesses } from './processes.ts';
import { runProcesses } from './run-processes.ts';

/** Tenants whose URLs are printed; an installation may have thousands. */
const announcedTenants = 5;

async function start(config: Config, stopping: AbortSignal): Promise<void> {
  const processes = await planProcesses(config);
  await assertPortsFree(config, processes);
  if (config.tls && config.formation.gateway > 0) assertCertificate(config.tls);
  if (config.databaseUrl === undefined) say(`Starting Postgres in ${config.dataDir} …\n`);
  const database = await startDatabase(config, { role: 'service' });
  try {
    const applied = await migrate(database.sessionUrl);
    if (applied.length > 0) say(`Migrated the database: ${applied.join(', ')}.\n`);
    const tenants = await tenantsToServe(database.sessionUrl);
    if (!stopping.aborted) await serve(config, database.url, processes, tenants, stopping);
  } finally {
    await database.stop();
  }
}

/** Runs the processes until we are asked to stop; they are gone when this settles. */
async function serve(
  config: Config,
  databaseUrl: string,
  processes: Process[],
  tenants: readonly ListedTenant[],
  stopping: AbortSignal,
): Promise<void> {
  const running = runProcesses({ config, databaseUrl, processes, say, stopping, constants });
  try {
    const ready = await firstIsReady(processes, stopping);
    if (ready) say(`${addresses(config, processes, tenants)}\n`);
    if (!stopping.aborted) await once(stopping, 'abort');
    say('\nStopping …\n');
  } finally {
    await running.stop();
  }
}

/** The first tenants; in an empty database, those of the demo, which are planted now. */
async function tenantsToServe(databaseUrl: string): Promise<readonly ListedTenant[]> {
  const database = await createDatabase(databaseUrl, {
    maxConnections: 2,
    statementTimeout: 60_000,
    connectionTimeout: 10_000,
  });
  try {
    const present = await listTenants(database, announcedTenants);
    if (present.length > 0) return present;
    for (const { slug, email, password } of await plantDemo(database)) {
      say(`The panel of ${slug}: log in as ${email} with the password ${password}\n`);
    }
    return await listTenants(database, announcedTenants);
  } finally {
    await database.end();
  }
}

const stopping = new AbortController();

/** A terminal that has been closed takes no more output; what runs has to be stopped all the same. */
function say(text: string): void {
  if (!writeOut(text)) stopping.abort();
}

stopOnSignal(async () => stopping.abort());
// Nothing throws outside of start; should it happen all the same, nothing is left running.
process.on('uncaughtException', (error) => {
  console.error(error);
  process.exitCode = 1;
  stopping.abort();
});
process.stderr.on('error', (error) => {
  if (isClosed(error, process.stderr)) stopping.abort();
});

try {
  await start(readConfig(process.env), stopping.signal);
} catch (error) {
  console.error(operatorMessage(error) ?? error);
  process.exitCode = 1;
}
