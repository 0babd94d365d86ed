import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../stage/free-port.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const tenant = 'trattoria';
const startBoundMs = 120_000;

/** A program of Lavagna's that was started for a measurement. */
export interface Process {
  pid: number;
  /** HTTP, for gateways. */
  port: number;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** A database with the demo restaurant in it, and the means to run Lavagna against it. */
export interface Stage {
  db: pg.Pool;
  host: string;
  token: string;
  tenantId: number;
  items: number[];
  sections: number[];
  startGateway(port?: number): Promise<Process>;
  startWorker(): Promise<Process>;
  /** Jobs of events that are still to be done. */
  backlog(): Promise<number>;
}

async function cli(databaseUrl: string, ...args: string[]) {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const command = ['--import', 'tsx', 'db/cli/main.ts', ...args];
  const { stdout } = await run(process.execPath, command, { cwd: root, env });
  return JSON.parse(stdout);
}

/** Resolves when the process says that it has started; its complaints appear on stderr. */
function waitUntilStarted(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) => reject(new Error(`${name} ${why}:\n${output}`));
    const late = setTimeout(() => fail(`did not start within ${startBoundMs} ms`), startBoundMs);
    child.once('close', () => fail('ended'));
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      if (!output.includes('"msg":"started"')) return;
      clearTimeout(late);
      resolve();
    });
  });
}

async function startProgram(file: string, env: Record<string, string>): Promise<Process> {
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    // The channel ends it should the measurement itself be killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'close');
  await waitUntilStarted(child, file);
  return {
    pid: child.pid as number,
    port: Number(env.PORT ?? 0),
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

async function prepare(databaseUrl: string, db: pg.Pool): Promise<Stage> {
  await cli(databaseUrl, 'migrate');
  await cli(databaseUrl, 'demo');
  const user = `bench-${Date.now()}@example.com`;
  const owner = ['--tenant', tenant, '--email', user, '--password', 'only for measuring'];
  await cli(databaseUrl, 'user', 'create', ...owner);
  const grant = ['--tenant', tenant, '--user', user, '--name', 'bench'];
  const made = await cli(databaseUrl, 'token', 'create', ...grant, '--scopes', 'analytics:read');
  const ids = async (table: string, column = 'id') => {
    const text = `select ${column} as id from ${table}
      where tenant_id = (select id from tenants where slug = $1) order by 1`;
    return (await db.query<{ id: number }>(text, [tenant])).rows.map(({ id }) => id);
  };
  const shared = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' };
  const limits = { LIMIT_PUBLIC: '1000000', LIMIT_ADMIN: '1000000', LIMIT_ANALYTICS: '1000000' };
  return {
    db,
    host: `${tenant}.localhost`,
    token: made.token,
    tenantId: (await ids('settings', 'tenant_id'))[0] as number,
    items: await ids('dishes'),
    sections: await ids('sections'),
    startGateway: async (port) =>
      startProgram('gateway/main.ts', {
        ...shared,
        ...limits,
        PORT: String(port ?? (await freePort())),
        OPS_PORT: String(await freePort()),
      }),
    startWorker: async () =>
      startProgram('workers/main.ts', { ...shared, OPS_PORT: String(await freePort()) }),
    backlog: async () => {
      const { rows } = await db.query(
        `select count(*)::int as left from pgboss.job
         where name = 'analytics-events' and state < 'completed'`,
      );
      return rows[0].left;
    },
  };
}

/** Prepares an empty database and runs `work` with it. */
export async function withStage<T>(databaseUrl: string, work: (stage: Stage) => Promise<T>) {
  const db = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  try {
    return await work(await prepare(databaseUrl, db));
  } finally {
    await db.end();
  }
}
