import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';
import { TRUSTED } from '../load/addresses.ts';
import { type Client, createClient } from '../load/client.ts';
import { type MenuDisplays, openMenuDisplays, type Shown } from '../load/menu-displays.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { type PlannedPrice, planPrices } from '../load/planned-prices.ts';
import { changePrice, openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { connect, type Database } from '../processes/database.ts';
import type { Lavagna } from '../processes/lavagna.ts';
import { startPlanted } from '../processes/planted.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { treeCpuTime } from '../processes/usage.ts';
import { atMost, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** The share of restaurants that change at the same moment. */
const SHARE = 0.1;
const WRITERS = 4;
/** Writes alone are measured for so long. */
const SECONDS_ALONE = 10;
/** The worker knows of the moment so long before. */
const SECONDS_BEFORE = 15;
const NEW_PRICE = 98.5;
const BOUND_SECONDS = 300;
const MOST_SECONDS = 5;
const MOST_SLOWER = 3;

interface Setup {
  lavagna: Lavagna;
  client: Client;
  db: Database;
  /** The restaurants of other clients, who write. */
  writers: readonly Restaurant[];
  /** Those that change, in the order of their ids. */
  changing: readonly string[];
}

/** Changes prices of other restaurants, one after the other, until `isOver`; ms to each answer. */
async function writeUntil(
  client: Client,
  restaurants: readonly Restaurant[],
  isOver: () => boolean,
): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    restaurants.map(async (restaurant) => {
      for (let count = 0; !isOver(); count += 1) {
        times.push(await changePrice(client, restaurant, 1 + (count % 50)));
      }
    }),
  );
  return times;
}

/** Milliseconds after `moment` at which no release waits any more. */
async function untilPublished(db: Database, moment: number): Promise<number> {
  for (;;) {
    const { rows } = await db.query(`select from releases where state = 'scheduled' limit 1`);
    const passed = Date.now() - moment;
    if (rows.length === 0) return passed;
    if (passed > BOUND_SECONDS * 1_000) throw new Error('some releases are not published');
    await sleep(50);
  }
}

/** When each display has read the new price of its restaurant, in ms since 1970, in ascending order. */
async function untilShown(displays: MenuDisplays, due: readonly PlannedPrice[]): Promise<number[]> {
  const shown = await displays.next(BOUND_SECONDS * 1_000);
  const dishIds = new Map(due.map(({ slug, dish_id }) => [slug, dish_id]));
  const isNew = ({ slug, dishes }: Shown) =>
    dishes().some(({ id, price }) => id === dishIds.get(slug) && price === NEW_PRICE);
  const old = shown.filter((one) => !isNew(one));
  if (old.length > 0) throw new Error(`${old.length} displays have read a former menu`);
  return shown.map(({ readAt }) => readAt).sort((left, right) => left - right);
}

async function measure(
  { lavagna, client, db, writers, changing }: Setup,
  { tenants, progress }: { tenants: number; progress: Environment['progress'] },
): Promise<Finding> {
  progress('writes alone');
  const end = Date.now() + SECONDS_ALONE * 1_000;
  const alone = percentilesOf(await writeUntil(client, writers, () => Date.now() >= end));
  progress(`${changing.length} displays begin to follow their menus`);
  await using displays = await openMenuDisplays(lavagna.gateway.port, changing);
  const due = await planPrices(db, {
    count: changing.length,
    price: NEW_PRICE,
    lead: SECONDS_BEFORE,
  });
  const moment = due[0]?.at ?? 0;
  const shown = untilShown(displays, due);
  shown.catch(() => undefined);
  await sleep(moment - Date.now());
  progress(`${due.length} releases begin`);
  const cpuBefore = treeCpuTime(lavagna.pid);
  let isOver = false;
  const writing = writeUntil(client, writers, () => isOver);
  const serve = async () => {
    try {
      const [published, served] = await Promise.all([untilPublished(db, moment), shown]);
      const cpu = treeCpuTime(lavagna.pid) - cpuBefore;
      return { published, cpu, served: served.map((at) => at - moment) };
    } finally {
      isOver = true;
      // The writers end before the scenario does, also when something fails.
      await Promise.allSettled([writing]);
    }
  };
  const { published, cpu, served } = await serve();
  const times = await writing;
  const beside = percentilesOf(times);
  const last = served.at(-1) ?? 0;
  const each = cpu / 1_000 / due.length;
  return {
    title: `The clock: ${due.length} of ${tenants} restaurants change at one moment`,
    note: `Meanwhile ${WRITERS} clients change prices of other restaurants, one after the other.`,
    figures: [
      { name: 'until the last one is published', unit: 's', median: published / 1_000 },
      { name: 'until the first display has read it', unit: 's', median: (served[0] ?? 0) / 1_000 },
      { name: 'until the last display has read it', unit: 's', median: last / 1_000 },
      { name: 'writes of others meanwhile', unit: '', median: times.length },
      { name: 'CPU of all processes meanwhile, for each', unit: 'ms', median: each },
      { name: 'writes of others before: p50', unit: 'ms', median: alone.p50 },
      { name: 'writes of others before: p99', unit: 'ms', median: alone.p99 },
      { name: 'writes of others meanwhile: p50', unit: 'ms', median: beside.p50 },
      { name: 'writes of others meanwhile: p99', unit: 'ms', median: beside.p99 },
    ],
    goals: [
      atMost('s until the last one is served', last / 1_000, MOST_SECONDS),
      atMost('p99 of writes of others ÷ before', beside.p99 / alone.p99, MOST_SLOWER),
    ],
  };
}

/**
 * The clock: many restaurants have a release that begins at the same moment. In each of them a display
 * follows the menu, and reads it as soon as it is told of a version. Measured is the time from the
 * moment until each of these displays, the last one included, has read the new price.
 */
export const clock: Scenario = {
  name: 'clock',
  run: ({ size, progress }) =>
    withFolder('clock', async (dataDir) => {
      const { tenants } = size;
      await using planted = await startPlanted(dataDir, tenants, progress, TRUSTED);
      const { lavagna, slugs } = planted;
      using client = createClient(lavagna.gateway.port);
      await using db = await connect(lavagna.databaseUrl);
      const writers: Restaurant[] = [];
      for (const slug of slugs.slice(-WRITERS)) {
        writers.push(await openRestaurant(client, slug));
      }
      const changing = slugs.slice(0, Math.round(tenants * SHARE));
      const setup = { lavagna, client, db, writers, changing };
      return [await measure(setup, { tenants, progress })];
    }),
};
