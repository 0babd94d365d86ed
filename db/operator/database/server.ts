import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, type FileHandle, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isOutage } from '../../postgres/outage.ts';
import { dbOf } from '../../postgres/sql.ts';
import { asError, OperatorError } from '../../runtime/operator-error.ts';
import { writeOut } from '../../runtime/output.ts';
import { type Running, stopOnce } from '../../runtime/running.ts';
import { findDataDirectory } from '../../sql/server.ts';
import { type Cluster, superuser } from './cluster.ts';
import { ignoreMissing } from './lock.ts';

/** From here on a log is put aside. */
const longLogBytes = 10 * 1_048_576;

/**
 * Copies a log that has become long to `<path>.1`, over the one that was put aside before, and empties
 * it. The server appends to the file that it has open, so it goes on at the beginning; a line that it
 * writes between the two steps is lost.
 */
async function rotateLog(path: string): Promise<void> {
  const found = await stat(path).catch(ignoreMissing);
  if (found === undefined || found.size < longLogBytes) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

/** A server process and the port of the loopback address at which it listens. */
export type PostgresServer = { pid: number; port: number };

/** Recovery after a crash replays at most `max_wal_size` of log; this is ample for it. */
const startBoundMs = 60_000;
const fastStopBoundMs = 20_000;
const immediateStopBoundMs = 5_000;
const pollMs = 20;
/** Another program may take the free port between its choice and the server's bind. */
const portAttempts = 3;

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  shared_buffers: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/**
 * The server that already runs on the cluster, once it accepts our password and says that the
 * cluster is its own: `postmaster.pid` alone may be a leftover whose pid or port is another's.
 */
export async function findServer(cluster: Cluster): Promise<PostgresServer | undefined> {
  const bound = performance.now() + startBoundMs;
  for (;;) {
    const server = await readPidFile(cluster.directory);
    if (server === undefined) return undefined;
    if (!(await isServing(server.pid, cluster.directory))) {
      await removeDeceptivePidFile(cluster.directory, server.pid);
      return undefined;
    }
    if (await accepts(cluster, server.port)) return server;
    if (performance.now() > bound) throw notAnswering(server.pid, cluster.directory);
    await sleep(pollMs);
  }
}

/**
 * Starts a server on the cluster; `logPath` receives what it has to say.
 *
 * @param port a free one by default
 */
export async function startPostgres(
  cluster: Cluster,
  logPath: string,
  port?: number,
): Promise<PostgresServer> {
  await rotateLog(logPath);
  for (let attempt = 1; ; attempt += 1) {
    await using log = await open(logPath, 'a+', 0o600);
    if (cluster.account) await log.chown(cluster.account.uid, cluster.account.gid);
    const { size } = await log.stat();
    const server = await launch(cluster, log, port ?? (await freePort()));
    if (server !== undefined) return server;
    const said = await readFrom(log, size);
    if (said.includes('could not bind') && attempt < portAttempts) continue;
    const lastLines = said.trim().split('\n').slice(-8).join('\n');
    throw new OperatorError(`The embedded Postgres ended at its start:\n${lastLines}`);
  }
}

/** Stops the server in an orderly way and resolves when its process is gone. */
export async function stopServer(server: PostgresServer, directory: string): Promise<void> {
  for (const [signal, boundMs] of [
    ['SIGINT', fastStopBoundMs],
    ['SIGQUIT', immediateStopBoundMs],
  ] as const) {
    const bound = performance.now() + boundMs;
    if (await isServing(server.pid, directory)) process.kill(server.pid, signal);
    while (performance.now() < bound) {
      if (!(await isServing(server.pid, directory))) return;
      await sleep(pollMs);
    }
  }
  throw notAnswering(server.pid, directory);
}

function notAnswering(pid: number, directory: string): OperatorError {
  return new OperatorError(
    `The Postgres server of ${directory} (process ${pid}) does not answer; end it and try again.`,
  );
}

/**
 * Undefined when the process ended instead of accepting connections. `pg_ctl` would leave a killed
 * server to the first process of the machine. Where that one collects no dead children, as in many
 * containers, Postgres takes the dead server for a living one and never starts again.
 */
async function launch(cluster: Cluster, log: FileHandle, port: number) {
  const all = { ...settings, port: String(port) };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = cluster.asAccount(cluster.binaries.postgres, [
    ...['-D', cluster.directory],
    ...flags,
  ]);
  // A session of its own: Ctrl-C must not reach the server before the processes that use it.
  const child = spawn(file, args, {
    ...options,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  await once(child, 'spawn');
  child.unref();
  const bound = performance.now() + startBoundMs;
  const pid = child.pid as number;
  while (child.exitCode === null && child.signalCode === null) {
    // Only an answer given while the process lives, and lives on, can be its own.
    const answer = await accepts(cluster, port).catch((error: Error) => error);
    await sleep(pollMs);
    if (child.exitCode !== null || child.signalCode !== null) break;
    if (answer === true) return { pid, port };
    if (answer === false && performance.now() < bound) continue;
    process.kill(pid, 'SIGQUIT');
    throw answer || notAnswering(pid, cluster.directory);
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('the probe has no port');
  return address.port;
}

async function readFrom(log: FileHandle, offset: number): Promise<string> {
  const { size } = await log.stat();
  const { buffer } = await log.read(Buffer.alloc(size - offset), 0, size - offset, offset);
  return buffer.toString('utf8');
}

/** Lines 1 and 4 of `postmaster.pid` are the pid and the port; it is written in two steps. */
async function readPidFile(directory: string): Promise<PostgresServer | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(ignoreMissing);
  if (text === undefined) return undefined;
  const [pid, , , port] = text.split('\n').map(Number);
  return pid ? { pid, port: port || 0 } : undefined;
}

/** The command line of a process: empty when it is gone, or dead and not yet reaped. */
async function commandLine(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(ignoreMissing);
  return text ? text.split('\0') : [];
}

async function isServing(pid: number, directory: string): Promise<boolean> {
  const [program, ...args] = await commandLine(pid);
  return program?.endsWith('/postgres') === true && args.includes(directory);
}

/**
 * Postgres itself clears away a pid file whose process is dead, after a check for orphaned
 * backends, but takes any living process of its own account for a server.
 */
async function removeDeceptivePidFile(directory: string, pid: number): Promise<void> {
  const [program] = await commandLine(pid);
  if (program === undefined) return;
  if (program.endsWith('/postgres') && (await mayWorkIn(directory, pid))) return;
  await rm(join(directory, 'postmaster.pid'), { force: true });
}

/** A server works in its data directory; of another account's we may not know, nor does it matter. */
async function mayWorkIn(directory: string, pid: number): Promise<boolean> {
  try {
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(directory)]);
    return its.dev === ours.dev && its.ino === ours.ino;
  } catch {
    return true;
  }
}

/** The server at `port`, for what only its superuser may do. */
export function createSuperuserClient({ password }: Cluster, port: number): pg.Client {
  return new pg.Client({
    host: '127.0.0.1',
    port,
    user: superuser,
    password,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  });
}

/** Whether the server at `port` takes our password and serves our directory. */
async function accepts(cluster: Cluster, port: number): Promise<boolean> {
  const client = createSuperuserClient(cluster, port);
  try {
    await client.connect();
    return (await findDataDirectory(dbOf(client))) === cluster.directory;
  } catch (error) {
    if (asError(error).code !== '28P01') {
      // It is not listening yet, starts up or shuts down; a machine with too much to do is only slow.
      if (isOutage(error)) return false;
      throw error;
    }
    throw new OperatorError(
      `The server of ${cluster.directory} does not take the password kept beside it; ` +
        'restore the file postgres.password, or choose another DATA_DIR.',
    );
  } finally {
    await client.end();
  }
}

/** Pause between two checks whether the server runs, in ms. */
const watchMs = 250;

/**
 * Rotates the server's log, and restarts the server when it was killed or ran out of memory, until
 * `stop`. It tries again after a failure.
 *
 * @param start starts a server on the same port, or finds the one that another program started there
 */
export function superviseServer(
  server: PostgresServer,
  directory: string,
  logPath: string,
  start: () => Promise<PostgresServer>,
): Running {
  const stopping = new AbortController();
  const { signal } = stopping;
  const restart = async (): Promise<PostgresServer> => {
    writeOut('Postgres has ended and is started again.\n');
    for (let failures = 0; ; failures += 1) {
      try {
        return await start();
      } catch (error) {
        // A disk may be full for hours, so only the first failure is printed.
        if (failures === 0) {
          console.error(error instanceof Error ? error.message : error);
          console.error('It is tried again until it starts.');
        }
        await sleep(watchMs * 4, undefined, { signal });
      }
    }
  };
  let hasComplained = false;
  const rotate = async () => {
    try {
      await rotateLog(logPath);
      hasComplained = false;
    } catch (error) {
      if (hasComplained) return;
      hasComplained = true;
      console.error(`The log of Postgres cannot be put aside: ${asError(error).message}.`);
    }
  };
  const watch = async () => {
    let { pid } = server;
    for (;;) {
      await sleep(watchMs, undefined, { signal, ref: false });
      await rotate();
      if (!(await isServing(pid, directory))) ({ pid } = await restart());
    }
  };
  const watching = watch().catch((error) => {
    if (!signal.aborted) throw error;
  });
  return stopOnce(() => {
    stopping.abort();
    return watching;
  });
}
