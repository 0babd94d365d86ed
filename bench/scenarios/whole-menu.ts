import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../load/client.ts';
import { startMenuReaders } from '../load/menu-readers.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { changePrice, openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { LARGE_MENU, largeMenu, sendMenu } from '../load/whole-menus.ts';
import { runCli } from '../processes/cli.ts';
import { startLavagna } from '../processes/lavagna.ts';
import { type ServiceProcess, startServiceProcess } from '../processes/service-process.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { cpuTime } from '../processes/usage.ts';
import type { Figure, Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const REPEATS = 10;
const READS_PER_SECOND = 200;
const CALM_MS = 3_000;
const PAUSE_MS = 50;
/** The largest resident memory that a process has had, in MiB. */
function peakMb(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

interface Setup {
  client: Client;
  gateway: Pick<ServiceProcess, 'pid' | 'port'>;
  worker: ServiceProcess;
  restaurant: Restaurant;
  other: Restaurant;
}

function send({ client, restaurant }: Setup, document: object, query: string, key: string) {
  return sendMenu(client, restaurant, document, query, key);
}

/** Seconds, CPU and memory of a menu that is tried, applied and applied again. */
async function measureOne(setup: Setup): Promise<Finding> {
  const figures: Figure[] = [];
  const { gateway, worker } = setup;
  for (const [name, query, price] of [
    ['dry run', '?dry_run=1', 1],
    ['apply', '', 1],
    ['apply again', '', 1],
    ['change every price', '', 2],
  ] as const) {
    const before = [gateway.pid, worker.pid].map((pid) => cpuTime([pid]));
    const seconds = await send(setup, largeMenu(price), query, name.replaceAll(' ', '-'));
    const [ofGateway = 0, ofWorker = 0] = [gateway.pid, worker.pid].map(
      (pid, at) => (cpuTime([pid]) - (before[at] ?? 0)) / 1_000,
    );
    figures.push({ name, unit: 's', median: seconds });
    figures.push({ name: `${name}: CPU of the gateway`, unit: 'ms', median: ofGateway });
    figures.push({ name: `${name}: CPU of the worker`, unit: 'ms', median: ofWorker });
  }
  figures.push({ name: 'gateway: most memory', unit: 'MiB', median: peakMb(gateway.pid) });
  figures.push({ name: 'worker: most memory', unit: 'MiB', median: peakMb(worker.pid) });
  return { title: `One menu of ${LARGE_MENU.dishes} dishes in five languages`, figures };
}

/** What another restaurant notices of many such imports. */
async function measureOthers(setup: Setup): Promise<Finding> {
  const { client, gateway, other } = setup;
  const readers = await startMenuReaders(gateway.port, [other.slug], READS_PER_SECOND);
  const figures: Figure[] = [];
  const note = (what: string, times: readonly number[]) => {
    const { p50, p99 } = percentilesOf(times);
    figures.push({ name: `${what}: p50`, unit: 'ms', median: p50 });
    figures.push({ name: `${what}: p99`, unit: 'ms', median: p99 });
  };
  const writeUntil = async (isOver: () => boolean) => {
    const times: number[] = [];
    while (!isOver()) {
      times.push(await changePrice(client, other, 1 + (times.length % 50)));
      await sleep(PAUSE_MS);
    }
    return times;
  };
  try {
    const calmUntil = performance.now() + CALM_MS;
    const calm = await writeUntil(() => performance.now() > calmUntil);
    note('reads before', await readers.take());
    note('writes before', calm);
    let isOver = false;
    const writing = writeUntil(() => isOver);
    for (let count = 0; count < REPEATS; count += 1) {
      await send(setup, largeMenu(3 + count), '', `again-${count}`);
    }
    isOver = true;
    note('writes meanwhile', await writing);
    note('reads meanwhile', await readers.take());
    return { title: `Another restaurant while ${REPEATS} such menus are imported`, figures };
  } finally {
    await readers.stop();
  }
}

/** A whole menu as one write: tried, applied, and beside other restaurants. */
export const wholeMenu: Scenario = {
  name: 'whole-menu',
  run: ({ progress }) =>
    withFolder('whole-menu', async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      progress('planting two restaurants');
      await runCli(env, 'demo', '--tenants', '1');
      const lavagna = await startLavagna(dataDir, { FORMATION: 'gateway=1,worker=0' });
      const client = createClient(lavagna.gateway.port);
      const worker = await startServiceProcess('workers/main.ts', lavagna.databaseUrl);
      try {
        const restaurant = await openRestaurant(client, env, 'pizzeria');
        const other = await openRestaurant(client, env, 'trattoria');
        const setup = { client, gateway: lavagna.gateway, worker, restaurant, other };
        progress('importing');
        return [await measureOne(setup), await measureOthers(setup)];
      } finally {
        client.close();
        await worker.stop();
        await lavagna.stop();
      }
    }),
};
