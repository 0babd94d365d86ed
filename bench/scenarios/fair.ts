import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../load/client.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { startPriceWriter, type TimedLoad } from '../load/timed-load.ts';
import { LARGE_MENU, largeMenu, sendMenu } from '../load/whole-menus.ts';
import { runCli } from '../processes/cli.ts';
import { startLavagna } from '../processes/lavagna.ts';
import { startServiceProcess } from '../processes/service-process.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { atMost, type Figure, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const PAUSE_MS = 25;
/** How long the other restaurant is measured alone, and at least beside each load. */
const WINDOW_MS = 15_000;
/** Sections of a restaurant that moves them, and moves that are sent at once. */
const SECTIONS = 6_000;
const MOVES = 50;
const SECTIONS_PER_IMPORT = 3_000;
const ACCEPTED_RATIO = 3;

interface Setup {
  client: Client;
  /** Those that send a lot. */
  heavy: Restaurant[];
  /** The writer of another restaurant, which is measured. */
  writer: TimedLoad;
}

/** Sends something heavy once for a restaurant; `round` tells the times apart. */
type Load = (setup: Setup, restaurant: Restaurant, round: number) => Promise<unknown>;

const sectionIds = new Map<string, number[]>();

/** Moves sections of a menu with thousands of them, all at once. */
const moveSections: Load = async ({ client }, { slug, headers }, round) => {
  const ids = sectionIds.get(slug) ?? [];
  const calls = Array.from({ length: MOVES }, (_, at) => {
    const path = `/admin/categories/${ids[at + 1]}`;
    const body = { parent_id: (round + at) % 2 === 0 ? ids[0] : null };
    return client.expect(202, slug, {
      ...{ method: 'PUT', path, body, headers: { ...headers, Prefer: 'respond-async' } },
    });
  });
  await Promise.all(calls);
  // The last of them is done when a later write is.
  const last = { method: 'PUT', path: '/admin/theme', headers, body: {} };
  while ((await client.call(slug, last)).status !== 200) await sleep(PAUSE_MS);
};

const importMenu: Load = ({ client }, restaurant, round) =>
  sendMenu(
    client,
    restaurant,
    largeMenu(3 + round),
    '?delete_missing=all',
    `fair ${restaurant.slug} ${round}`,
  );

/** How long the other restaurant's writes take until `work` is over, in ms. */
async function measureOther({ writer }: Setup, work: Promise<unknown>): Promise<number[]> {
  await writer.take();
  await work;
  return writer.take();
}

/** Counts all loads, so that none is the same as an earlier one. */
let rounds = 0;

/** The load of restaurants again and again, each after its own last one, for `WINDOW_MS` or longer. */
async function repeat(setup: Setup, load: Load, heavy: readonly Restaurant[]): Promise<void> {
  const end = performance.now() + WINDOW_MS;
  await Promise.all(
    heavy.map(async (restaurant) => {
      do {
        rounds += 1;
        await load(setup, restaurant, rounds);
      } while (performance.now() < end);
    }),
  );
}

function compare(what: string, idle: readonly number[], busy: readonly number[]): Finding {
  const figures: Figure[] = [];
  const note = (name: string, times: readonly number[]) => {
    const { p50, p99, max } = percentilesOf(times);
    figures.push({ name: `${name}: p50`, unit: 'ms', median: p50 });
    figures.push({ name: `${name}: p99`, unit: 'ms', median: p99 });
    figures.push({ name: `${name}: most`, unit: 'ms', median: max });
    return p99;
  };
  const ratio = note('writes beside it', busy) / note('writes before', idle);
  return {
    title: `Another restaurant beside ${what}`,
    figures,
    goals: [atMost(`p99 of writes beside ${what} ÷ before`, ratio, ACCEPTED_RATIO)],
  };
}

/** Gives a restaurant thousands of sections, and remembers their ids. */
async function plantSections({ client }: Setup, restaurant: Restaurant): Promise<void> {
  const { slug, headers } = restaurant;
  for (let from = 0; from < SECTIONS; from += SECTIONS_PER_IMPORT) {
    const categories = Array.from({ length: SECTIONS_PER_IMPORT }, (_, at) => ({
      ...{ external_id: `s${from + at}`, name: { it: `S${from + at}` } },
    }));
    const menu = { format: 'lavagna-menu/1', categories };
    await sendMenu(client, restaurant, menu, '', `sections ${from}`);
  }
  const path = '/admin/categories?per_page=100&page=2';
  const { data } = JSON.parse((await client.expect(200, slug, { path, headers })).text);
  sectionIds.set(
    slug,
    data.map(({ id }: { id: number }) => id),
  );
}

const LOADS: readonly [what: string, load: Load][] = [
  [`${MOVES} moves among ${SECTIONS} sections`, moveSections],
  // The last: they delete what the others need.
  [`imports of ${LARGE_MENU.dishes} dishes`, importMenu],
];

async function measure(setup: Setup, progress: (line: string) => void): Promise<Finding[]> {
  const findings: Finding[] = [];
  // The first writes run code that V8 has not optimised yet.
  await measureOther(setup, sleep(WINDOW_MS));
  for (const [what, load] of LOADS) {
    progress(what);
    if (load === moveSections) for (const one of setup.heavy) await plantSections(setup, one);
    const idle = await measureOther(setup, sleep(WINDOW_MS));
    const busy = await measureOther(setup, repeat(setup, load, setup.heavy));
    findings.push(compare(`${what} of ${setup.heavy.length} restaurants`, idle, busy));
  }
  return findings;
}

/** How much a restaurant's writes are slowed by others; `beside` measures what displays notice. */
export const fair: Scenario = {
  name: 'fair',
  run: ({ progress }) =>
    withFolder('fair', async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      progress('planting four restaurants');
      await runCli(env, 'demo', '--tenants', '2');
      await using lavagna = await startLavagna(dataDir, { FORMATION: 'gateway=1,worker=0' });
      const { port } = lavagna.gateway;
      using client = createClient(port);
      await using _worker = await startServiceProcess('workers/main.ts', lavagna.databaseUrl);
      const tenants = await runCli<{ slug: string }[]>(env, 'tenant', 'list');
      const heavy: Restaurant[] = [];
      for (const { slug } of tenants) {
        if (slug !== 'trattoria') heavy.push(await openRestaurant(client, slug));
      }
      const other = await openRestaurant(client, 'trattoria');
      await using writer = await startPriceWriter(port, other, PAUSE_MS);
      return await measure({ client, heavy: heavy.slice(0, 2), writer }, progress);
    }),
};
