// `npm start`: everything that Lavagna needs, from an empty machine to URLs that answer.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../../postgres/connection.ts';
import { operatorMessage } from '../../postgres/outage.ts';
import { assertCertificate } from '../../runtime/certificate.ts';
import { type Config, readConfig } from '../../runtime/config.ts';
import { constants } from '../../runtime/constants.ts';
import { assertHttpLibrary } from '../../runtime/http-library.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { isOutputClosed, writeOut } from '../../runtime/output.ts';
import { portTrouble } from '../../runtime/port.ts';
import { stopOnSignal } from '../../runtime/running.ts';
import { type ListedTenant, listTenants } from '../../sql/tenants.ts';
import { migrate, startDatabase } from '../database/migrate.ts';
import { type Process, planProcesses, runProcesses } from './run-processes.ts';

const maxPort = 65_535;

/**
 * Makes sure that every port the processes will listen on is free. The gateways bind theirs so
 * that several may share it, and would silently share it with a stranger, too.
 *
 * @throws {OperatorError} naming the port and the variable it comes from.
 */
async function assertPortsFree(config: Config, processes: Process[]): Promise<void> {
  const gateways = processes.some(({ kind }) => kind === 'gateway');
  if (gateways) await assertFree(config.port, `PORT ${config.port}`, 'PORT');
  for (const { name, opsPort } of processes) {
    const origin =
      opsPort === config.opsPort
        ? `OPS_PORT ${opsPort}`
        : `Port ${opsPort}, which follows from OPS_PORT ${config.opsPort} for ${name},`;
    if (opsPort > maxPort || (gateways && opsPort === config.port)) {
      const reason = opsPort > maxPort ? 'does not exist' : 'is PORT as well';
      throw new OperatorError(`${origin} ${reason}; choose another OPS_PORT.`);
    }
    await assertFree(opsPort, origin, 'OPS_PORT');
  }
}

async function assertFree(port: number, origin: string, variable: string): Promise<void> {
  const trouble = await portTrouble(port);
  if (trouble !== undefined) {
    throw new OperatorError(`${origin} ${trouble}; choose another ${variable}.`);
  }
}

const pollMs = 200;
const requestBoundMs = 2_000;

const isGateway = ({ kind }: Process) => kind === 'gateway';

/** Waits until the first gateway, or else worker, is ready, or until `stopping`; tells which. */
async function firstIsReady(processes: Process[], stopping: AbortSignal): Promise<boolean> {
  const first = processes.find(isGateway) ?? processes[0];
  if (first === undefined) return false;
  while (!stopping.aborted) {
    if (await answers(`http://127.0.0.1:${first.opsPort}/readyz`)) return true;
    await sleep(pollMs);
  }
  return false;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(requestBoundMs) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    // Not listening yet, or not answering: the caller asks again.
    return false;
  }
}

/** Where the first tenants are served, and the health of the processes. */
function addresses(config: Config, processes: Process[], tenants: readonly ListedTenant[]): string {
  const [scheme, usual] = config.tls ? ['https', 443] : ['http', 80];
  const port = config.port === usual ? '' : `:${config.port}`;
  const served = processes.some(isGateway) ? tenants : [];
  const lines = served.flatMap(({ name, slug }) => {
    const host = `${scheme}://${slug}.${config.domain}${port}`;
    return [
      // It goes to a terminal, which would obey what stands in it.
      name.replace(/\p{Cc}+/gu, ' '),
      `  page    ${host}/`,
      `  menu    ${host}/api/v1/menu`,
      `  panel   ${host}/admin`,
      `  tokens  ${host}/admin/api-tokens`,
    ];
  });
  const health = processes.map(({ name, opsPort }) => {
    return `  ${name.padEnd(10)} http://127.0.0.1:${opsPort}/healthz`;
  });
  return ['', 'Lavagna is ready.', '', ...lines, 'Health', ...health, ''].join('\n');
}

/** Tenants whose URLs are printed; an installation may have thousands. */
const announcedTenants = 5;

async function start(config: Config, stopping: AbortSignal): Promise<void> {
  const processes = await planProcesses(config);
  await assertPortsFree(config, processes);
  if (config.formation.gateway > 0) {
    assertHttpLibrary();
    if (config.tls) assertCertificate(config.tls);
  }
  if (config.databaseUrl === undefined) say(`Starting Postgres in ${config.dataDir} …\n`);
  await using database = await startDatabase(config, { role: 'service' });
  const applied = await migrate(database.sessionUrl);
  if (applied.length > 0) say(`Migrated the database: ${applied.join(', ')}.\n`);
  const tenants = await tenantsToServe(database.sessionUrl);
  if (!stopping.aborted) await serve(config, database.url, processes, tenants, stopping);
}

/** Runs the processes until we are asked to stop; they are gone when this settles. */
async function serve(
  config: Config,
  databaseUrl: string,
  processes: Process[],
  tenants: readonly ListedTenant[],
  stopping: AbortSignal,
): Promise<void> {
  await using _running = runProcesses({ config, databaseUrl, processes, say, stopping, constants });
  const ready = await firstIsReady(processes, stopping);
  if (ready) say(`${addresses(config, processes, tenants)}\n`);
  if (!stopping.aborted) await once(stopping, 'abort');
  say('\nStopping …\n');
}

/** The first tenants; in an empty database, those of the demo, which are planted now. */
async function tenantsToServe(databaseUrl: string): Promise<readonly ListedTenant[]> {
  await using database = await createDatabase(databaseUrl, {
    maxConnections: 2,
    statementTimeout: 60_000,
    connectionTimeout: 10_000,
  });
  const present = await listTenants(database, announcedTenants);
  if (present.length > 0) return present;
  // An installation needs it once.
  const { plantDemo } = await import('../demo/plant-demo.ts');
  for (const { slug, email, password } of await plantDemo(database)) {
    say(`The panel of ${slug}: log in as ${email} with the password ${password}\n`);
  }
  return await listTenants(database, announcedTenants);
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
  if (isOutputClosed(error, process.stderr)) stopping.abort();
});

try {
  await start(readConfig(process.env), stopping.signal);
} catch (error) {
  console.error(operatorMessage(error) ?? error);
  process.exitCode = 1;
}
