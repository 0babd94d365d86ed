import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commandLine, environmentOf, processTree } from '../measure/process-accounts.ts';
import type { Server } from '../peers/peer.ts';
import { type Child, nodeCommand, repository, startChild } from './child.ts';
import { pinRunning } from './cores.ts';
import { freePort } from './free-port.ts';

const startBoundMs = 60_000;
const pollMs = 10;
/** Processes of a formation, each with an ops port of its own. */
const MAX_PROCESSES = 4;
/** A limit that no scenario reaches, in requests a minute. */
const OUT_OF_REACH = '1000000000';

const quiet = {
  LIMIT_PUBLIC: OUT_OF_REACH,
  LIMIT_ADMIN: OUT_OF_REACH,
  LIMIT_ANALYTICS: OUT_OF_REACH,
  LOG_LEVEL: 'warn',
};

/** One gateway process, alone or as part of a whole Lavagna. */
export interface Gateway extends Server {
  pid: number;
  opsPort: number;
  /** The value of a metric without labels. */
  metric(name: string): Promise<number>;
}

/** Lavagna as `npm start` runs it: Postgres, worker and gateway. */
export interface Lavagna {
  gateway: Gateway;
  /** Every gateway of the formation; `gateway` is the first. */
  gateways: Gateway[];
  databaseUrl: string;
  stop(): Promise<void>;
}

async function isReady(opsPort: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    // Not listening yet: the caller asks again.
    return false;
  }
}

async function waitUntilReady(child: Child, opsPort: number): Promise<void> {
  let exit: number | string | undefined;
  void child.ended.then((code) => {
    exit = code;
  });
  const bound = Date.now() + startBoundMs;
  while (!(await isReady(opsPort))) {
    if (exit !== undefined || Date.now() > bound) {
      await child.stop();
      throw new Error(`Lavagna did not start:\n${child.output()}`);
    }
    await sleep(pollMs);
  }
}

async function readMetric(opsPort: number, name: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
  const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `));
  if (line === undefined) throw new Error(`there is no metric ${name}`);
  return Number(line.slice(name.length + 1));
}

function gatewayOf(
  name: string,
  pid: number,
  port: number,
  opsPort: number,
  stop: () => Promise<void>,
): Gateway {
  const metric = (metricName: string) => readMetric(opsPort, metricName);
  return { name, pid, pids: [pid], port, opsPort, metric, stop };
}

/**
 * Starts everything, as `npm start` does. With DATABASE_URL in the environment it is used, else
 * Postgres is the embedded one of `dataDir`.
 */
export async function startLavagna(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Lavagna> {
  const port = await freePort();
  const opsPort = await freePort(MAX_PROCESSES);
  const child = await startChild(nodeCommand('db/start.ts'), {
    env: { ...quiet, DATA_DIR: dataDir, PORT: String(port), OPS_PORT: String(opsPort), ...env },
  });
  await waitUntilReady(child, opsPort);
  const pids = processTree(child.pid).filter((pid) => commandLine(pid).includes('gateway/main.ts'));
  const gateways = pids.map((pid, i) => gatewayOf('Lavagna', pid, port, opsPort + i, child.stop));
  for (const pid of pids) pinRunning('server', pid);
  const [gateway] = gateways;
  if (!gateway) throw new Error('Lavagna runs without a gateway');
  // The embedded server's address is nobody's business but the processes' own, which are told it.
  const databaseUrl = environmentOf(gateway.pid, 'DATABASE_URL');
  if (databaseUrl === undefined) throw new Error('the gateway was not told its database');
  return { gateway, gateways, databaseUrl, stop: child.stop };
}

export interface GatewayOptions {
  env?: Record<string, string>;
  /** Shared with another gateway; a port of its own by default. */
  port?: number;
  /** False for one that may run on any core. */
  isPinned?: boolean;
  /** Another checkout to run it from. */
  folder?: string;
}

/** Starts one gateway more, as `npm run gateway` does, beside a running Lavagna. */
export async function startGateway(
  name: string,
  databaseUrl: string,
  options: GatewayOptions = {},
): Promise<Gateway> {
  const { env = {}, port = await freePort(), isPinned = true, folder } = options;
  const opsPort = await freePort();
  const child = await startChild(nodeCommand('gateway/main.ts'), {
    folder,
    env: {
      ...quiet,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      ...env,
    },
  });
  await waitUntilReady(child, opsPort);
  if (isPinned) pinRunning('server', child.pid);
  return gatewayOf(name, child.pid, port, opsPort, child.stop);
}

/** Runs one of the operators' commands and returns the document that it prints. */
export async function runCli<T>(dataDir: string, ...args: string[]): Promise<T> {
  const [file = '', ...rest] = nodeCommand('db/cli/main.ts', ...args);
  const { stdout } = await promisify(execFile)(file, rest, {
    cwd: repository,
    env: { ...process.env, DATA_DIR: dataDir },
    maxBuffer: 1024 ** 3,
  });
  return JSON.parse(stdout) as T;
}
