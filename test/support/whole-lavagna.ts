import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../../bench/processes/free-port.ts';
import { createTestDatabase } from './database.ts';
import { fileFolder } from './folder.ts';
import { type StartOptions, startProcess, type TestProcess } from './process.ts';
import { until } from './until.ts';

/** A start takes neighbours of its OPS_PORT for its processes. */
export async function takePorts() {
  const first = await freePort(8);
  return { PORT: String(first), OPS_PORT: String(first + 1) };
}

export const makeDataDir = async () => join(await fileFolder(), 'data');

/** A database that is dropped after the test, with what a start on it needs to know. */
export async function makeDatabase(t: TestContext) {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  return { DATABASE_URL: database.url };
}

const running = new Set<TestProcess>();

export function startLavagna(env: Record<string, string>, options: StartOptions = {}): TestProcess {
  const lavagna = startProcess('db/operator/start/main.ts', { env, ownGroup: true, ...options });
  running.add(lavagna);
  void lavagna.ended.finally(() => running.delete(lavagna));
  return lavagna;
}

/** Ends what a test that failed half-way has left behind. */
export async function endAll(): Promise<void> {
  for (const lavagna of running) {
    process.kill(lavagna.pid, 'SIGTERM');
    await lavagna.ended;
  }
}

/** The pids of the processes that have reported their start, by what they said. */
export function reportedPids(lavagna: TestProcess): number[] {
  const lines = lavagna.stdout().matchAll(/"pid":(\d+).*"msg":"started"/g);
  return Array.from(lines, ([, pid]) => Number(pid));
}

export async function bothStarted(lavagna: TestProcess): Promise<number[]> {
  await lavagna.waitFor(/Lavagna is ready/);
  await lavagna.waitFor(/"name":"worker".*"msg":"started"/);
  return reportedPids(lavagna);
}

/** A dead process that is not reaped yet still has its pid, but no command line. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
}

export async function assertGone(pids: number[]): Promise<void> {
  assert.ok(pids.length > 0);
  for (const pid of pids) {
    await until(`process ${pid} still runs`, async () => !(await isRunning(pid)));
  }
}

/** Ctrl-C in a terminal: the signal goes to the whole process group. */
export function pressCtrlC(lavagna: TestProcess): void {
  process.kill(-lavagna.pid, 'SIGINT');
}

/** The status of the demo's menu. */
export function getMenu(port: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'trattoria.localhost' };
    const options = { port, host: '127.0.0.1', path: '/api/v1/menu', headers };
    request(options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
}

export async function postgresPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
}
