import { setTimeout as sleep } from 'node:timers/promises';
import { percentilesOf } from '../load/percentiles.ts';
import { startMenuReaders } from '../load/timed-load.ts';
import { capture } from '../measure/capture.ts';
import type { Server } from '../peers/peer.ts';
import { startGateway, startLavagna } from '../processes/lavagna.ts';
import { startServiceProcess } from '../processes/service-process.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { residentMb } from '../processes/usage.ts';
import { atMost, type Figure, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const READS_PER_SECOND = 200;
/** A gateway has answered its first reads then, and loads what owners use some seconds later. */
const FIRST_READS_MS = 1_000;
const LOADING_MS = 9_000;

async function timeStart(
  start: () => Promise<AsyncDisposable & { gateway: Server }>,
): Promise<number> {
  const startedAt = performance.now();
  await using started = await start();
  const { status } = await capture(started.gateway.port, '/api/v1/menu', {
    Host: 'trattoria.localhost',
  });
  if (!status.startsWith('200')) throw new Error(`the first answer was ${status}`);
  return (performance.now() - startedAt) / 1_000;
}

/** How soon a gateway or a worker is ready beside a running Postgres, and its memory then. */
async function measureProcess(
  name: 'gateway' | 'worker',
  start: () => Promise<AsyncDisposable & { pid: number }>,
): Promise<Finding> {
  const startedAt = performance.now();
  await using started = await start();
  const seconds = (performance.now() - startedAt) / 1_000;
  const resident = residentMb(started.pid);
  return {
    title: `A ${name} beside a running Postgres`,
    figures: [
      { name: 'ready', unit: 's', median: seconds },
      { name: 'resident memory', unit: 'MiB', median: resident },
    ],
    goals: [
      atMost(`s until a ${name} is ready`, seconds, 1),
      atMost(`MiB of a ${name} that has started`, resident, 150),
    ],
  };
}

/** How long displays wait while a gateway that has started loads what owners use. */
async function measureDisplays(databaseUrl: string): Promise<Finding> {
  await using gateway = await startGateway('gateway', databaseUrl, { isPinned: false });
  await using readers = await startMenuReaders(gateway.port, ['trattoria'], READS_PER_SECOND);
  await sleep(FIRST_READS_MS);
  await readers.take();
  await sleep(LOADING_MS);
  const { p50, p99, max } = percentilesOf(await readers.take());
  const figures = Object.entries({ p50, p99, slowest: max }).map(([name, median]) => {
    return { name, unit: 'ms', median };
  });
  const goals = [atMost('ms that a display waits while a gateway loads the rest', max, 20)];
  return { title: 'Displays in the first ten seconds of a gateway', figures, goals };
}

/** Seconds from the command to the first menu, and the memory of what has started. */
export const start: Scenario = {
  name: 'start',
  run: ({ lavagna, progress, size }) =>
    withFolder('start', async (dataDir) => {
      const figures: Figure[] = [];
      const measure = async (name: string, launch: Parameters<typeof timeStart>[0]) => {
        progress(name);
        figures.push({ name, unit: 's', median: await timeStart(launch) });
      };
      await measure('npm start in an empty folder', () => startLavagna(dataDir));
      if (size.isThorough) await measure('npm start again', () => startLavagna(dataDir));
      await measure('npm run gateway beside a running Postgres', async () => {
        const gateway = await startGateway('gateway', lavagna.databaseUrl);
        return { ...gateway, gateway };
      });
      const { databaseUrl } = lavagna;
      progress('a gateway and a worker');
      return [
        { title: 'From the command to the first menu', figures },
        await measureProcess('gateway', () => startGateway('gateway', databaseUrl)),
        await measureProcess('worker', () => startServiceProcess('workers/main.ts', databaseUrl)),
        await measureDisplays(databaseUrl),
      ];
    }),
};
