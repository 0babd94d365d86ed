import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../load/client.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { startMenuReaders, startPriceWriter } from '../load/timed-load.ts';
import { LARGE_MENU, largeMenu, sendMenu } from '../load/whole-menus.ts';
import { runCli } from '../processes/cli.ts';
import { startLavagna } from '../processes/lavagna.ts';
import { type ServiceProcess, startServiceProcess } from '../processes/service-process.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { cpuTime, peakMb } from '../processes/usage.ts';
import { atMost, type Figure, type Finding, type Goal } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const REPEATS = 10;
const READS_PER_SECOND = 200;
const CALM_MS = 10_000;
const PAUSE_MS = 50;
const MAX_SECONDS = 2;
const MAX_MIB = 256;
/** The most that another restaurant may be slowed. */
const MAX_READS_RATIO = 1.5;
const MAX_WRITE_MS = 200;

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
  const goals: Goal[] = [];
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
    goals.push(atMost(`s, ${name}`, seconds, MAX_SECONDS));
    figures.push({ name: `${name}: CPU of the gateway`, unit: 'ms', median: ofGateway });
    figures.push({ name: `${name}: CPU of the worker`, unit: 'ms', median: ofWorker });
  }
  for (const [name, pid] of [
    ['gateway', gateway.pid],
    ['worker', worker.pid],
  ] as const) {
    const peak = peakMb(pid);
    figures.push({ name: `${name}: most memory`, unit: 'MiB', median: peak });
    goals.push(atMost(`MiB of the ${name}`, peak, MAX_MIB));
  }
  return { title: `One menu of ${LARGE_MENU.dishes} dishes in five languages`, figures, goals };
}

/** How much many such imports slow another restaurant. */
async function measureOthers(setup: Setup): Promise<Finding> {
  const { port } = setup.gateway;
  const readers = await startMenuReaders(port, [setup.other.slug], READS_PER_SECOND);
  const writer = await startPriceWriter(port, setup.other, PAUSE_MS);
  const figures: Figure[] = [];
  const note = (what: string, times: readonly number[]) => {
    const { p50, p99 } = percentilesOf(times);
    figures.push({ name: `${what}: p50`, unit: 'ms', median: p50 });
    figures.push({ name: `${what}: p99`, unit: 'ms', median: p99 });
    return p99;
  };
  try {
    await sleep(CALM_MS);
    const calm = note('reads before', await readers.take());
    note('writes before', await writer.take());
    for (let count = 0; count < REPEATS; count += 1) {
      await send(setup, largeMenu(3 + count), '', `again-${count}`);
    }
    const writes = note('writes meanwhile', await writer.take());
    const reads = note('reads meanwhile', await readers.take());
    const goals = [
      atMost('p99 of reads beside imports ÷ before', reads / calm, MAX_READS_RATIO),
      atMost('ms of writes beside imports, p99', writes, MAX_WRITE_MS),
    ];
    return {
      title: `Another restaurant while ${REPEATS} such menus are imported`,
      figures,
      goals,
    };
  } finally {
    await writer.stop();
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
