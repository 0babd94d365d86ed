import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from './child.ts';
import { freePort } from './free-port.ts';

const START_BOUND_MS = 60_000;
const POLL_MS = 10;
/** A limit that no measurement reaches. */
const OUT_OF_REACH = '1000000000';

/** What every process of Lavagna is started with here, unless a measurement is about it. */
export const QUIET = {
  LIMIT_PUBLIC: OUT_OF_REACH,
  LIMIT_ADMIN: OUT_OF_REACH,
  LIMIT_ANALYTICS: OUT_OF_REACH,
  EVENTS_PER_DAY: OUT_OF_REACH,
  LOG_LEVEL: 'warn',
};

/** A gateway or a worker. */
export interface Member {
  file: 'gateway/main.ts' | 'workers/main.ts';
  pid: number;
  /** HTTP, of a gateway. */
  port: number;
  opsPort: number;
  /** What it last wrote. */
  output(): string;
  /** Ends it as an operator does; rejects when it does not end by itself with exit code 0. */
  stop(): Promise<void>;
  /** Ends it without a chance to do anything more. */
  kill(): Promise<void>;
}

export interface MemberOptions {
  env?: Record<string, string>;
  /** Of a gateway: its own by default. */
  port?: number | undefined;
  /** Another checkout to run it from. */
  folder?: string | undefined;
  /** Modules that are imported before it. */
  preload?: readonly string[];
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

/** Resolves when the process takes work; ends it and rejects when it does not come to that. */
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

/** Starts a gateway or a worker on a database; resolves when it takes work. */
export async function startMember(
  file: Member['file'],
  databaseUrl: string,
  options: MemberOptions = {},
): Promise<Member> {
  const { env = {}, port = await freePort(), folder, preload = [] } = options;
  const opsPort = await freePort();
  const imports = ['tsx', ...preload].flatMap((module) => ['--import', module]);
  const own = { DATABASE_URL: databaseUrl, PORT: String(port), OPS_PORT: String(opsPort) };
  const child = await startChild([process.execPath, ...imports, file], {
    folder,
    env: { ...QUIET, ...own, ...env },
    channel: true,
  });
  await untilReady(child, opsPort);
  const { pid, output, end } = child;
  return {
    ...{ file, pid, port, opsPort, output },
    stop: async () => {
      const code = await end('SIGTERM');
      if (code !== 0) throw new Error(`${file} ended with ${code}:\n${output()}`);
    },
    kill: async () => {
      await end('SIGKILL');
    },
  };
}

/** The value of a metric without labels. */
export async function readMetric(opsPort: number, name: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
  const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `));
  if (line === undefined) throw new Error(`there is no metric ${name}`);
  return Number(line.slice(name.length + 1));
}
