import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Child, nodeCommand, repository, startChild } from '../../../bench/processes/child.ts';
import { commandLine, environmentOf, processTree } from '../../../bench/processes/usage.ts';
import type { Network } from './network.ts';

/** A request to an asker, and its answer; the status is 0 when there was no answer. */
export interface Question {
  id: number;
  port: number;
  slug: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}
export interface Reply {
  id: number;
  status: number;
  text: string;
  /** In ms. */
  took: number;
}

/** Asks the gateway of one host from that host itself. */
export type Ask = (
  slug: string,
  path: string,
  change?: { method: string; body: object },
) => Promise<Reply>;

/** Lavagna on several hosts: Postgres on the first, a gateway on each, a worker on the second. */
export interface Cluster {
  ask: Record<'database' | 'a' | 'b', Ask>;
  /** Restaurants that no client has asked for yet. */
  unread: string[];
  stop(): Promise<void>;
}

const PORT = 8080;
const POSTGRES_PORT = 6000;
/** Restaurants beside the demo's. */
const UNREAD = 10;
const START_BOUND_MS = 120_000;
const LIMITS = { LIMIT_PUBLIC: '1000000', LIMIT_ADMIN: '1000000', LIMIT_ANALYTICS: '1000000' };

async function untilSaid(child: Child, pattern: RegExp): Promise<void> {
  const bound = Date.now() + START_BOUND_MS;
  while (!pattern.test(child.output())) {
    if (Date.now() > bound) throw new Error(`no ${pattern}:\n${child.output()}`);
    await sleep(50);
  }
}

function createAsk(asker: Child, token: string): Ask {
  let last = 0;
  return (slug, path, change) => {
    last += 1;
    const id = last;
    const { method = 'GET', body } = change ?? {};
    const own = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const question: Question = {
      ...{ id, port: PORT, slug, method, path },
      ...{ headers: change ? own : {}, body: body && JSON.stringify(body) },
    };
    const untilOwn = (reply: Reply): Reply | Promise<Reply> =>
      reply.id === id ? reply : asker.message<Reply>().then(untilOwn);
    return asker.ask<Reply>(question).then(untilOwn);
  };
}

/** Runs the operators' commands on the database's host; `input` is their standard input. */
function createCli(network: Network, databaseUrl: string) {
  return async (args: string[], input = '') => {
    const program = nodeCommand('db/operator/cli/main.ts', ...args);
    const [file = '', ...rest] = network.on('database', program);
    const options = { cwd: repository, env: { ...process.env, DATABASE_URL: databaseUrl } };
    const call = promisify(execFile)(file, rest, options);
    call.child.stdin?.end(input);
    return JSON.parse((await call).stdout);
  };
}

/** @param dataDir empty */
export async function startCluster(network: Network, dataDir: string): Promise<Cluster> {
  const children: Child[] = [];
  const start = async (
    host: string,
    command: string[],
    env: Record<string, string> = {},
    channel = false,
  ) => {
    const shared = { ...LIMITS, PORT: String(PORT), LOG_LEVEL: 'info' };
    const child = await startChild(network.on(host, command), {
      env: { ...shared, ...env },
      channel,
    });
    children.push(child);
    return child;
  };
  const stop = async () => {
    for (const child of children.splice(0).reverse()) await child.stop();
  };
  try {
    const formation = { FORMATION: 'gateway=1', DATA_DIR: dataDir, DATABASE_URL: '' };
    const first = await start('database', nodeCommand('db/operator/start/main.ts'), formation);
    await untilSaid(first, /Lavagna is ready/);
    const isGateway = (pid: number) => commandLine(pid).includes('gateway/main.ts');
    const gateway = processTree(first.pid).find(isGateway) ?? 0;
    const local = new URL(environmentOf(gateway, 'DATABASE_URL') ?? '');
    const address = network.address('database');
    const ways = [address, String(POSTGRES_PORT), local.port];
    const forward = nodeCommand('test/faults/hosts/forward.ts', ...ways);
    await (await start('database', forward, {}, true)).message();
    const remote = new URL(local.href);
    remote.host = `${address}:${POSTGRES_PORT}`;
    const env = { DATABASE_URL: remote.href };
    const worker = { ...env, OPS_PORT: '9091' };
    const started = await Promise.all([
      start('a', nodeCommand('gateway/main.ts'), env),
      start('a', nodeCommand('workers/main.ts'), worker),
      start('b', nodeCommand('gateway/main.ts'), env),
    ]);
    for (const child of started) await untilSaid(child, /"msg":"started"/);
    const cli = createCli(network, local.href);
    const owner = ['--tenant', 'trattoria'];
    const email = 'hosts@example.com';
    await cli(['user', 'create', ...owner, '--email', email], 'only for this');
    const grant = ['--name', 'hosts', '--scopes', 'menu:read,menu:write'];
    const { token } = await cli(['token', 'create', ...owner, '--user', email, ...grant]);
    await cli(['demo', '--tenants', String(UNREAD)]);
    const tenants: { slug: string }[] = await cli(['tenant', 'list']);
    const unread = tenants.map(({ slug }) => slug).filter((slug) => slug !== 'trattoria');
    const askOn = async (host: string) => {
      const asker = await start(host, nodeCommand('test/faults/hosts/asker.ts'), {}, true);
      await asker.message();
      return createAsk(asker, token);
    };
    const ask = { database: await askOn('database'), a: await askOn('a'), b: await askOn('b') };
    return { ask, unread, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
