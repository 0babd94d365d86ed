import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../load/client.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { changePrice, openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { startMenuReaders, type TimedLoad } from '../load/timed-load.ts';
import { LARGE_MENU, largeMenu, sendMenu } from '../load/whole-menus.ts';
import { capture } from '../measure/capture.ts';
import { startBare } from '../peers/peer.ts';
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
  /** Of Lavagna, and of a bare server that does nothing else. */
  readers: readonly [ours: TimedLoad, bare: TimedLoad];
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

/** Reads of both servers beside the work of owners and without it, in turn. */
async function measure(
  setup: Setup,
  what: string,
  work: Work,
  rounds: number,
  bound: number,
): Promise<Finding> {
  const take = () => Promise.all(setup.readers.map((readers) => readers.take()));
  const taken: { before: number[][]; beside: number[][] }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    await take();
    await sleep(WINDOW_MS);
    const before = await take();
    await work(setup, round);
    taken.push({ before, beside: await take() });
  }
  // The first round runs code that V8 has not optimised yet.
  const counted = taken.slice(1);
  const timesOf = (server: number, when: 'before' | 'beside') =>
    percentilesOf(counted.flatMap((round) => round[when][server] ?? []));
  const figures = ['Lavagna', 'bare server'].flatMap((name, server) =>
    (['before', 'beside'] as const).flatMap((when) => {
      const { p50, p99 } = timesOf(server, when);
      return [
        { name: `${name} ${when}: p50`, unit: 'ms', median: p50 },
        { name: `${name} ${when}: p99`, unit: 'ms', median: p99 },
      ];
    }),
  );
  const ratio = timesOf(0, 'beside').p99 / timesOf(1, 'beside').p99;
  return {
    title: `Displays of ${setup.restaurants.length} restaurants beside ${what}`,
    note: 'Postgres, worker and load share two cores with both servers. The goal counts our own part.',
    figures,
    goals: [atMost(`p99 of displays beside ${what} ÷ bare server`, ratio, bound)],
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
      await using lavagna = await startLavagna(dataDir);
      using client = createClient(lavagna.gateway.port);
      const tenants = await runCli<{ slug: string }[]>(env, 'tenant', 'list');
      const slugs = tenants.map(({ slug }) => slug).filter((slug) => slug !== 'pizzeria');
      const restaurants: Restaurant[] = [];
      for (const slug of slugs) restaurants.push(await openRestaurant(client, slug));
      const large = await openRestaurant(client, 'pizzeria');
      const path = '/api/v1/menu';
      const headers = { Host: `${slugs[0]}.localhost`, 'Accept-Encoding': 'br' };
      const answer = await capture(lavagna.gateway.port, path, headers);
      await using bare = await startBare(answer, { isPinned: false });
      const read = (port: number) => startMenuReaders(port, slugs, READS_PER_SECOND);
      await using ours = await read(lavagna.gateway.port);
      await using theirs = await read(bare.port);
      const readers = [ours, theirs] as const;
      const setup: Setup = { client, readers, restaurants, large };
      const writes = Math.round((restaurants.length * 1_000) / EVERY_MS);
      const imports = `imports of ${LARGE_MENU.dishes} dishes`;
      progress('writing');
      const { rounds } = size;
      return [
        await measure(setup, `${writes} writes a second`, changePrices, rounds, 1.5),
        await measure(setup, imports, importMenus, rounds, 2),
      ];
    }),
};
