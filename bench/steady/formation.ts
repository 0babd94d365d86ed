import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, nodeCommand, startChild } from '../stage/child.ts';
import { freePort } from '../stage/free-port.ts';

const START_BOUND_MS = 60_000;
const POLL_MS = 20;
const OUT_OF_REACH = '1000000000';

/** A gateway or a worker. */
export interface Member {
  file: 'gateway/main.ts' | 'workers/main.ts';
  child: Child;
  opsPort: number;
}

export interface Formation {
  /** That all gateways listen on. */
  port: number;
  members: readonly Member[];
  /** Ends one by SIGTERM and puts another in its place; says how long it took to end, in ms. */
  replace(member: Member): Promise<number>;
  /** Ends all; rejects when one does not end by itself with exit code 0. */
  stop(): Promise<void>;
}

export interface FormationOptions {
  databaseUrl: string;
  gateways: number;
  workers: number;
  env?: Record<string, string>;
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

async function startMember(file: Member['file'], env: Record<string, string>): Promise<Member> {
  const opsPort = await freePort();
  const child = await startChild(nodeCommand(file), {
    env: { ...env, OPS_PORT: String(opsPort) },
    channel: true,
  });
  let ended = false;
  void child.ended.then(() => {
    ended = true;
  });
  const bound = Date.now() + START_BOUND_MS;
  while (!(await isReady(opsPort))) {
    if (ended || Date.now() > bound) {
      await child.stop();
      throw new Error(`${file} did not start:\n${child.output()}`);
    }
    await sleep(POLL_MS);
  }
  return { file, child, opsPort };
}

/** Ends it as an operator does and says how long that took, in ms. */
async function end({ file, child }: Member): Promise<number> {
  const startedAt = performance.now();
  await child.stop();
  const code = await child.ended;
  if (code !== 0) throw new Error(`${file} ended with ${code}:\n${child.output()}`);
  return performance.now() - startedAt;
}

/** Starts gateways on one port, and workers; resolves when all of them are ready. */
export async function startFormation(options: FormationOptions): Promise<Formation> {
  const port = await freePort();
  const env = {
    ...{ LIMIT_PUBLIC: OUT_OF_REACH, LIMIT_ADMIN: OUT_OF_REACH, LIMIT_ANALYTICS: OUT_OF_REACH },
    ...{ LOG_LEVEL: 'info', ...options.env },
    ...{ DATABASE_URL: options.databaseUrl, PORT: String(port) },
  };
  const files: Member['file'][] = [
    ...new Array<Member['file']>(options.gateways).fill('gateway/main.ts'),
    ...new Array<Member['file']>(options.workers).fill('workers/main.ts'),
  ];
  const members: Member[] = [];
  const stop = async () => {
    const ends = await Promise.allSettled(members.splice(0).map(end));
    const failed = ends.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    if (failed) throw failed.reason;
  };
  try {
    const starts = await Promise.allSettled(files.map((file) => startMember(file, env)));
    for (const start of starts) if (start.status === 'fulfilled') members.push(start.value);
    const failed = starts.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    if (failed) throw failed.reason;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    members,
    replace: async (member) => {
      const took = await end(member);
      members[members.indexOf(member)] = await startMember(member.file, env);
      return took;
    },
    stop,
  };
}
