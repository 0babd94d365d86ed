import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../load/client.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { changePrice, openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { startMenuReaders, type TimedLoad } from '../load/timed-load.ts';
import { LARGE_MENU, largeMenu, sendMenu } from '../load/whole-menus.ts';
import { runCli } from '../processes/cli.ts';
import { startLavagna } from '../processes/lavagna.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { atMost, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const READS_PER_SECOND = 200;
/** Each restaurant changes a price so often, and never two at a time. */
const EVERY_MS = 400;
const PRICES = 50;
const WINDOW_MS = 10_000;

interface Setup {
  client: Client;
  readers: TimedLoad;
  /** Those that displays read. */
  restaurants: readonly Restaurant[];
  large: Restaurant;
}

/** Work of owners that lasts for a window or a little longer; `round` tells the times apart. */
type Work = (setup: Setup, round: number) => Promise<unknown>;

const changePrices: Work = ({ client, restaurants }) => {
  const startedAt = performance.now();
  const change = async (restaurant: Restaurant, at: number) => {
    const first = startedAt + (at * EVERY_MS) / restaurants.length;
    for (let count = 0; count * EVERY_MS < WINDOW_MS; count += 1) {
      await sleep(Math.max(0, first + count * EVERY_MS - performance.now()));
      await changePrice(client, restaurant, 1 + (count % PRICES));
    }
  };
  return Promise.all(restaurants.map(change));
};

const importMenus: Work = async ({ client, large }, round) => {
  const end = performance.now() + WINDOW_MS;
  for (let count = 0; performance.now() < end; count += 1) {
    const key = `beside ${round} ${count}`;
    await sendMenu(client, large, largeMenu(1 + (count % PRICES)), '', key);
  }
};

/** Reads of displays beside the work of owners and without it, in turn. */
async function measure(
  setup: Setup,
  what: string,
  work: Work,
  rounds: number,
  bound: number,
): Promise<Finding> {
  const { readers } = setup;
  const times = { before: [] as number[], beside: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    await readers.take();
    await sleep(WINDOW_MS);
    const before = await readers.take();
    await work(setup, round);
    const beside = await readers.take();
    // The first round runs code that V8 has not optimised yet.
    if (round === 0) continue;
    times.before.push(...before);
    times.beside.push(...beside);
  }
  const [before, beside] = [percentilesOf(times.before), percentilesOf(times.beside)];
  return {
    title: `Displays of ${setup.restaurants.length} restaurants beside ${what}`,
    figures: [
      { name: 'before: p50', unit: 'ms', median: before.p50 },
      { name: 'before: p99', unit: 'ms', median: before.p99 },
      { name: 'beside: p50', unit: 'ms', median: beside.p50 },
      { name: 'beside: p99', unit: 'ms', median: beside.p99 },
    ],
    goals: [atMost(`p99 of displays beside ${what} ÷ before`, beside.p99 / before.p99, bound)],
  };
}

/** Displays beside what owners do on a busy evening, and beside an import of the largest menu. */
export const beside: Scenario = {
  name: 'beside',
  run: ({ size, progress }) =>
    withFolder('beside', async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      progress(`planting ${size.writtenRestaurants} restaurants`);
      await runCli(env, 'demo', '--tenants', String(size.writtenRestaurants));
      const lavagna = await startLavagna(dataDir);
      const client = createClient(lavagna.gateway.port);
      const stops = [lavagna.stop];
      try {
        const tenants = await runCli<{ slug: string }[]>(env, 'tenant', 'list');
        const slugs = tenants.map(({ slug }) => slug).filter((slug) => slug !== 'pizzeria');
        const restaurants: Restaurant[] = [];
        for (const slug of slugs) restaurants.push(await openRestaurant(client, slug));
        const large = await openRestaurant(client, 'pizzeria');
        const readers = await startMenuReaders(lavagna.gateway.port, slugs, READS_PER_SECOND);
        stops.unshift(readers.stop);
        const setup: Setup = { client, readers, restaurants, large };
        const writes = Math.round((restaurants.length * 1_000) / EVERY_MS);
        const imports = `imports of ${LARGE_MENU.dishes} dishes`;
        progress('writing');
        const { rounds } = size;
        return [
          await measure(setup, `${writes} writes a second`, changePrices, rounds, 1.5),
          await measure(setup, imports, importMenus, rounds, 2),
        ];
      } finally {
        client.close();
        for (const stop of stops) await stop();
      }
    }),
};
