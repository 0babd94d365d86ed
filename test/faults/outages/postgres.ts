import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startLavagna } from '../../../bench/processes/lavagna.ts';
import { commandLine, processTree } from '../../../bench/processes/usage.ts';
import { migrate } from '../../../db/operator/database/migrate.ts';
import { startEmbedded } from '../../../db/operator/database/start-embedded.ts';
import { fileFolder } from '../../support/folder.ts';
import { forFile } from '../../support/for-file.ts';
import { fillDisk, mountSmallDisk } from './small-disk.ts';

/**
 * The faults of a Postgres: it ends or stands still, or its disk has no room for more data, or
 * none for its log, without which it ends as well.
 */
export const MISHAPS = ['kill', 'stop', 'freeze', 'full', 'full-log'] as const;
export type Mishap = (typeof MISHAPS)[number];

/** Whether it takes a disk that can be filled. */
function needsSmallDisk(mishap: Mishap): boolean {
  return mishap === 'full' || mishap === 'full-log';
}

/** A server that may be treated badly. */
export interface Postgres {
  url: string;
  suffer(mishap: Mishap): Promise<void>;
  /** Brings it back; resolves when it takes connections. */
  recover(mishap: Mishap): Promise<void>;
}

const POLL_MS = 20;
const BOUND_MS = 60_000;

/** The path of the server's program, or the title that one of its other processes gives itself. */
const POSTGRES = /\/postgres$|^postgres: /;

function isRunning(pid: number): boolean {
  return POSTGRES.test(commandLine(pid)[0] ?? '');
}

/** Sends a signal to each of these processes. A server may have closed one of them by then. */
function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function gone(pids: readonly number[]): Promise<void> {
  const bound = Date.now() + BOUND_MS;
  while (pids.some(isRunning)) {
    if (Date.now() > bound) throw new Error('Postgres did not end');
    await sleep(POLL_MS);
  }
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: BOUND_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** Makes the server write to its log until it has no room for that and ends. */
async function exhaustLog(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const text = `select pg_logical_emit_message(false, 'steady', repeat('x', 1000000))`;
  const isWritten = () =>
    client.query(text).then(
      () => true,
      () => false,
    );
  while (await isWritten());
  await client.end();
}

/** Takes hold of the running server of a data directory, by the command that it was started with. */
export function holdPostgres(url: string, directory: string): Postgres {
  const readPid = () =>
    Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  let pid = readPid();
  const [file = '', ...args] = commandLine(pid).filter((arg) => arg !== '');
  const { uid, gid } = statSync(directory);

  const start = async () => {
    const account = process.getuid?.() === 0 ? { uid, gid } : {};
    const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
    const options = { cwd: '/', env, detached: true, stdio: 'ignore', ...account } as const;
    const child = spawn(file, args, options);
    await once(child, 'spawn');
    child.unref();
    pid = child.pid as number;
  };
  const untilAccepting = async () => {
    const bound = Date.now() + BOUND_MS;
    while (!(await accepts(url))) {
      if (Date.now() > bound) throw new Error('Postgres did not come back');
      // Connections of the server before it may still hold its memory.
      if (!isRunning(pid)) await start();
      await sleep(POLL_MS);
    }
  };

  let relieve = async () => {};
  return {
    url,
    suffer: async (mishap) => {
      if (needsSmallDisk(mishap)) {
        relieve = fillDisk(dirname(directory));
        if (mishap === 'full-log') await exhaustLog(url);
        return;
      }
      const tree = processTree(pid);
      if (mishap === 'freeze') {
        signalAll(tree, 'SIGSTOP');
        return;
      }
      if (mishap === 'stop') process.kill(pid, 'SIGINT');
      else signalAll(tree.filter(isRunning), 'SIGKILL');
      await gone(tree);
    },
    recover: async (mishap) => {
      if (needsSmallDisk(mishap)) {
        await relieve();
      } else if (mishap === 'freeze') {
        signalAll(processTree(pid), 'SIGCONT');
      } else {
        await start();
      }
      await untilAccepting();
    },
  };
}

/** The embedded Postgres with the tables of Lavagna, stopped with the tests of the file. */
export const embeddedPostgres = forFile(async () => {
  const dataDir = await fileFolder();
  // An answered write must survive the server's end.
  const { url, stop } = await startEmbedded({ dataDir, role: 'call' });
  await migrate(url);
  return { ...holdPostgres(url, join(dataDir, 'postgres')), stop };
});

/**
 * Runs `work` with a Postgres of its own, the embedded one.
 *
 * @param mishap that it is going to suffer
 */
export async function withPostgres<T>(
  mishap: Mishap | null,
  work: (postgres: Postgres) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lavagna-steady-'));
  // The server may run as another account, which has to enter the folder.
  await chmod(dataDir, 0o755);
  let unmount = () => {};
  try {
    if (mishap && needsSmallDisk(mishap)) unmount = mountSmallDisk(dataDir);
    // It makes the server, but would also start it again at once when it is to be away.
    const lavagna = await startLavagna(dataDir, { FORMATION: 'gateway=1,worker=0' });
    const postgres = holdPostgres(lavagna.databaseUrl, join(dataDir, 'postgres'));
    await lavagna.stop();
    await postgres.recover('stop');
    try {
      return await work(postgres);
    } finally {
      await postgres.suffer('stop');
    }
  } finally {
    unmount();
    await rm(dataDir, { recursive: true, force: true });
  }
}
