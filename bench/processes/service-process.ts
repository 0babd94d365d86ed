import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, repository, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { type Running, running } from './running.ts';

const START_BOUND_MS = 180_000;
const POLL_MS = 10;
/** A limit that no measurement reaches. */
const OUT_OF_REACH = '1000000000';

/** For the platform's API of each gateway. */
export const PLATFORM_TOKEN = 'only-for-measuring-0123456789-abcdef';

/** The environment of every process that a benchmark starts. */
export const BENCHMARK_ENV = {
  LIMIT_PUBLIC: OUT_OF_REACH,
  LIMIT_ADMIN: OUT_OF_REACH,
  LIMIT_ANALYTICS: OUT_OF_REACH,
  LIMIT_PLATFORM: OUT_OF_REACH,
  PLATFORM_TOKEN,
  EVENTS_PER_DAY: OUT_OF_REACH,
  LOG_LEVEL: 'warn',
};

/** A gateway or a worker. */
export interface ServiceProcess extends Running {
  file: 'gateway/main.ts' | 'workers/main.ts';
  pid: number;
  /** The port of a gateway for HTTP. */
  port: number;
  opsPort: number;
  /** The end of its stdout and stderr. */
  output(): string;
  /** Sends SIGTERM; rejects when the exit code is not 0. */
  stop(): Promise<void>;
  /** Sends SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
}

export interface ServiceProcessOptions {
  env?: Record<string, string>;
  /** The port of a gateway for HTTP; by default a free one. */
  port?: number | undefined;
  /** The checkout: by default this one. */
  folder?: string | undefined;
  /** The command: by default the Procfile's command. */
  command?: readonly string[] | undefined;
}

async function isReady(opsPort: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    // Not listening yet.
    () => false,
  );
}

/** Resolves when the process is ready; ends it and rejects when it does not become ready in time. */
export async function untilReady(child: Child, opsPort: number): Promise<void> {
  let hasEnded = false;
  void child.ended.then(() => {
    hasEnded = true;
  });
  const bound = Date.now() + START_BOUND_MS;
  while (!(await isReady(opsPort))) {
    if (hasEnded || Date.now() > bound) {
      await child.stop();
      throw new Error(`Lavagna did not start:\n${child.output()}`);
    }
    await sleep(POLL_MS);
  }
}

/** The Procfile's command that runs a file, with the Node that runs the benchmark. */
function procfileCommand(folder: string, file: ServiceProcess['file']): string[] {
  const lines = readFileSync(join(folder, 'Procfile'), 'utf8').split('\n');
  const command = lines.find((line) => line.endsWith(` ${file}`))?.replace(/^\S+\s+/, '');
  if (command === undefined) throw new Error(`no line of the Procfile runs ${file}`);
  return command.split(' ').map((word) => (word === 'node' ? process.execPath : word));
}

/** Starts a gateway or a worker on a database; resolves when it is ready. */
export async function startServiceProcess(
  file: ServiceProcess['file'],
  databaseUrl: string,
  options: ServiceProcessOptions = {},
): Promise<ServiceProcess> {
  const { env = {}, port = await freePort(), folder = repository } = options;
  const { command = procfileCommand(folder, file) } = options;
  const opsPort = await freePort();
  const own = { DATABASE_URL: databaseUrl, PORT: String(port), OPS_PORT: String(opsPort) };
  const child = await startChild(command, {
    folder,
    env: { ...BENCHMARK_ENV, ...own, ...env },
    channel: true,
  });
  await untilReady(child, opsPort);
  const { pid, output, end } = child;
  return running({
    ...{ file, pid, port, opsPort, output },
    stop: async () => {
      const code = await end('SIGTERM');
      if (code !== 0) throw new Error(`${file} ended with ${code}:\n${output()}`);
    },
    kill: async () => {
      await end('SIGKILL');
    },
  });
}

/** The value of a metric without labels. */
export async function readMetric(opsPort: number, name: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
  const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `));
  if (line === undefined) throw new Error(`there is no metric ${name}`);
  return Number(line.slice(name.length + 1));
}
