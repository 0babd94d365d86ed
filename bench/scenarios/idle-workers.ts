import { setTimeout as sleep } from 'node:timers/promises';
import { startLavagna } from '../processes/lavagna.ts';
import { postmasterPid } from '../processes/postgres.ts';
import { group } from '../processes/running.ts';
import { type ServiceProcess, startServiceProcess } from '../processes/service-process.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { cpuTime, treeCpuTime } from '../processes/usage.ts';
import { atMost, type Figure } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const FURTHER = 3;
/** A new worker compiles its code, and looks through all that may wait. */
const SETTLE_MS = 30_000;
const WATCHED_MS = 60_000;
/** Of a core, for the further workers together. */
const MAX_PERCENT = 1;
const MICROSECONDS = 1_000;

/** Percent of a core that each kind of process takes. */
async function watch(lavagnaPid: number, workers: readonly ServiceProcess[]) {
  const postmaster = postmasterPid(lavagnaPid);
  const read = () => [
    cpuTime(workers.map(({ pid }) => pid)),
    postmaster === undefined ? 0 : treeCpuTime(postmaster),
  ];
  const before = read();
  const from = performance.now();
  await sleep(WATCHED_MS);
  const took = performance.now() - from;
  const percents = read().map((time, at) => {
    return ((time - (before[at] ?? 0)) / MICROSECONDS / took) * 100;
  });
  return { workers: percents[0] ?? 0, postgres: percents[1] ?? 0 };
}

/** The CPU time of workers that have nothing to do. */
export const idleWorkers: Scenario = {
  name: 'idle-workers',
  run: ({ progress }) =>
    withFolder('idle-workers', async (dataDir) => {
      const formation = { FORMATION: 'gateway=1,worker=0' };
      await using lavagna = await startLavagna(dataDir, formation);
      await using workers = group<ServiceProcess>();
      const start = async () => {
        workers.push(await startServiceProcess('workers/main.ts', lavagna.databaseUrl));
      };
      await start();
      await sleep(SETTLE_MS);
      progress('one idle worker');
      const one = await watch(lavagna.pid, workers);
      for (let count = 0; count < FURTHER; count += 1) await start();
      await sleep(SETTLE_MS);
      progress(`${workers.length} idle workers`);
      const all = await watch(lavagna.pid, workers);
      const unit = '% of a core';
      const figures: Figure[] = [
        { name: 'one worker', unit, median: one.workers },
        { name: `${workers.length} workers`, unit, median: all.workers },
        { name: 'Postgres, one worker', unit, median: one.postgres },
        { name: `Postgres, ${workers.length} workers`, unit, median: all.postgres },
      ];
      const goal = `${FURTHER} further workers: ${unit}`;
      const goals = [atMost(goal, all.workers - one.workers, MAX_PERCENT)];
      return [{ title: 'Workers without work', figures, goals }];
    }),
};
