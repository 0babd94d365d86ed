import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timedLoad } from '../load/job.ts';
import { startChild } from '../processes/child.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import type { Figure } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const SECONDS = 3;
const POLL_MS = 20;
/** Calls that are rarer, per request, belong to timers and other connections. */
const RARE = 0.005;

export const hasStrace = spawnSync('strace', ['--version']).error === undefined;

/** Counts the system calls of a process, by name, while `work` runs; `strace` must be installed. */
async function countCalls(pid: number, work: () => Promise<void>): Promise<Map<string, number>> {
  return await withFolder('strace', async (folder) => {
    const file = join(folder, 'calls');
    const strace = await startChild(['strace', '-f', '-c', '-o', file, '-p', String(pid)]);
    let hasEnded = false;
    void strace.ended.then(() => {
      hasEnded = true;
    });
    while (!strace.output().includes('attached')) {
      if (hasEnded) throw new Error(`strace did not attach: ${strace.output()}`);
      await sleep(POLL_MS);
    }
    try {
      await work();
    } finally {
      await strace.end('SIGINT');
    }
    return readCalls(await readFile(file, 'utf8'));
  });
}

/** The calls and names of strace's summary; its columns are share, seconds, µs, calls, errors, name. */
export function readCalls(summary: string): Map<string, number> {
  const line = /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$/gm;
  return new Map([...summary.matchAll(line)].map(([, calls, name = '']) => [name, Number(calls)]));
}

/** System calls of one request for a menu in memory. */
export const syscalls: Scenario = {
  name: 'syscalls',
  run: async ({ lavagna, load, host }) => {
    const { gateway } = lavagna;
    const headers = { Host: host('pizzeria'), 'Accept-Encoding': 'br' };
    const job = timedLoad(gateway.port, [{ path: '/api/v1/menu', headers }], SECONDS);
    await load.run(job);
    let requests = 0;
    const calls = await countCalls(gateway.pid, async () => {
      ({ requests } = await load.run(job));
    });
    const figures = [...calls]
      .map(([name, count]): Figure => ({ name, unit: 'a request', median: count / requests }))
      .filter(({ median }) => median >= RARE);
    return [{ title: `System calls of a hot /menu, br, ${requests} requests`, figures }];
  },
};
