import type { Environment } from '../environment.ts';
import { type Client, createClient } from '../load/client.ts';
import { readPage, signIn } from '../load/panel-client.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { changePrice, openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { LARGE_MENU, largeMenu, sendMenu } from '../load/whole-menus.ts';
import { connect, type Database } from '../processes/database.ts';
import { startLavagna } from '../processes/lavagna.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import type { Figure, Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** A year of 7 changes a day. */
const CHANGES_A_YEAR = 2_500;
const QUICK_CHANGES = 300;
const WAY_BACK = 2_000;
const PRICES = 50;
const SCREENS = 21;
const PROGRESS = 1_000;
const KIB = 1_024;
const MIB = 1_024 * KIB;

interface Setup extends Pick<Environment, 'progress'> {
  client: Client;
  db: Database;
  restaurant: Restaurant;
}

/** The value of a statement's only column and row. */
async function read({ db }: Setup, statement: string, values: unknown[] = []): Promise<number> {
  const { rows } = await db.query({ text: statement, values, rowMode: 'array' });
  return Number(rows[0]?.[0]);
}

/** Bytes of the last entry of a restaurant's history, as its row is stored. */
const lastEntry = (setup: Setup) =>
  read(
    setup,
    `select pg_column_size(v.*) from versions v join tenants t on t.id = v.tenant_id
     where t.slug = $1 order by v.version desc limit 1`,
    [setup.restaurant.slug],
  );

/** The present version of a restaurant. */
const version = (setup: Setup) =>
  read(setup, 'select version from tenants where slug = $1', [setup.restaurant.slug]);

async function measureEntries(setup: Setup, large: Restaurant): Promise<Finding> {
  const { client, restaurant } = setup;
  const { slug, headers, sectionId } = restaurant;
  await changePrice(client, restaurant, 7.5);
  const price = await lastEntry(setup);
  const names = { it: 'Risotto alla milanese', en: 'Risotto with saffron' };
  const body = { category_id: sectionId, name: names, price: 14, allergens: ['latte'] };
  await client.expect(201, slug, { method: 'POST', path: '/admin/items', headers, body });
  const dish = await lastEntry(setup);
  await sendMenu(client, large, largeMenu(5), '', 'large menu');
  const imported = await lastEntry({ ...setup, restaurant: large });
  return {
    title: 'Size of an entry of the history',
    figures: [
      { name: 'one price', unit: 'bytes', median: price },
      { name: 'one new dish', unit: 'bytes', median: dish },
      { name: `import of ${LARGE_MENU.dishes} dishes`, unit: 'KiB', median: imported / KIB },
    ],
  };
}

/** Puts the menu back to what it was some versions ago; the ms until the answer. */
async function restore({ client, restaurant }: Setup, to: number): Promise<number> {
  const { slug, headers } = restaurant;
  const path = `/admin/versions/${to}/restore`;
  const call = { method: 'POST', path, headers, body: { dry_run: false } };
  return (await client.expect(200, slug, call)).took;
}

async function measureYear(setup: Setup, port: number, dataDir: string, changes: number) {
  const { client, restaurant, progress } = setup;
  const size = () => read(setup, `select pg_total_relation_size('versions')`);
  const before = await size();
  for (let count = 1; count <= changes; count += 1) {
    await changePrice(client, restaurant, 1 + (count % PRICES));
    if (count % PROGRESS === 0) progress(`${count} of ${changes} changes`);
  }
  await setup.db.query('vacuum (analyze) versions');
  const grown = (await size()) - before;
  const headers = await signIn(port, { DATA_DIR: dataDir }, restaurant.slug);
  const screens: number[] = [];
  for (let count = 0; count < SCREENS; count += 1) {
    const startedAt = performance.now();
    await readPage(port, '/admin/history', headers);
    screens.push(performance.now() - startedAt);
  }
  const { p50, p99 } = percentilesOf(screens);
  const back = Math.min(WAY_BACK, changes - 1);
  const restored = await restore(setup, (await version(setup)) - back);
  const figures: Figure[] = [
    { name: 'size of its entries with their indexes', unit: 'MiB', median: grown / MIB },
    { name: 'first screen of /admin/history: p50', unit: 'ms', median: p50 },
    { name: 'first screen of /admin/history: p99', unit: 'ms', median: p99 },
    { name: `restore of the menu ${back} versions back`, unit: 'ms', median: restored },
  ];
  return { title: `A history of ${changes} changes`, figures };
}

/** The history: bytes of its entries, its size after a year, and how soon it is shown and undone. */
export const history: Scenario = {
  name: 'history',
  run: ({ size, progress }) =>
    withFolder('history', async (dataDir) => {
      await using lavagna = await startLavagna(dataDir);
      using client = createClient(lavagna.gateway.port);
      await using db = await connect(lavagna.databaseUrl);
      const restaurant = await openRestaurant(client, 'trattoria');
      const large = await openRestaurant(client, 'pizzeria');
      const setup = { client, db, restaurant, progress };
      const entries = await measureEntries(setup, large);
      const changes = size.isThorough ? CHANGES_A_YEAR : QUICK_CHANGES;
      return [entries, await measureYear(setup, lavagna.gateway.port, dataDir, changes)];
    }),
};
