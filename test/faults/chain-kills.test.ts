// Kills of the worker while a master publishes: each branch has all of it or nothing, and a repeat
// ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../bench/processes/free-port.ts';
import { followMaster } from '../../db/actions/chains.ts';
import { createRestaurant } from '../../db/actions/restaurants.ts';
import { createAdminClient, issueToken } from '../support/admin.ts';
import { createClient } from '../support/http.ts';
import { ownDatabase } from '../support/own-database.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { fileService } from '../support/service-process.ts';
import { often } from '../support/thorough.ts';
import { until } from '../support/until.ts';

/** Kills; `CHAIN_KILLS=20` is the long run. */
const KILLS = Number(process.env.CHAIN_KILLS ?? often(3, 20));
const DISHES = 120;
const BRANCHES = 5;

const database = await ownDatabase();
const { db } = database;

const startWorker = () => fileService('workers/main.ts', database.url);
const master = () => createAdminClient(createClient(port, 'casa.localhost'), token);
const publish = () =>
  master()
    .call('POST', '/chain/publish', {})
    .catch(() => null);

const dishes = Array.from({ length: DISHES }, (_, at) => dishOf(`Piatto ${at}`, { price: 1 }));
const id = await plant(db, restaurantOf('casa', [sectionOf('S', dishes)]));
const token = await issueToken(db, id);
for (let at = 0; at < BRANCHES; at += 1) {
  const slug = `filiale-${at}`;
  await createRestaurant(db, { slug, name: slug, locale: 'it' });
  const input = { master: 'casa', match: 'external_id', dry_run: false } as const;
  await followMaster(db, slug, input);
}
const port = await freePort();
const env = { PORT: String(port) };
await fileService('gateway/main.ts', database.url, env);
let worker = await startWorker();

/** The prices of a menu, by branch; one price each, or a branch is half done. */
async function pricesOf(): Promise<Map<string, { prices: number[]; dishes: number }>> {
  const rows =
    await database.sql(`select t.slug, array_agg(distinct d.price::float8) as prices, count(d.id)::int as dishes
     from tenants t left join dishes d on d.tenant_id = t.id and d.deleted_at is null
     where t.slug like 'filiale%' group by t.slug`);
  return new Map(rows.map(({ slug, ...rest }) => [slug, rest]));
}

/** Whether a publication of the queue is under way, or over. */
async function untilUnderWay(round: number): Promise<void> {
  await until('no publication is under way', async () => {
    const [row] =
      await database.sql(`select exists (select from pg_stat_activity where datname = current_database()
         and application_name = 'lavagna queue' and backend_xid is not null) as busy,
       not exists (select from chain_branches b join tenants t on t.id = b.master_id
         where b.taken_version is distinct from t.version) as over`);
    return row.busy || row.over || round === 0;
  });
}

test('each branch has all of a publication or nothing of it, whenever the worker is killed', async () => {
  for (let round = 1; round <= KILLS; round += 1) {
    const items = (await master().get('/items?per_page=100')).json.data;
    const rest = (await master().get('/items?per_page=100&page=2')).json.data;
    const operations = [...items, ...rest].map(({ id }: { id: number }) => ({
      ...{ resource: 'items', action: 'update', id, data: { price: round + 1 } },
    }));
    assert.equal((await master().call('POST', '/bulk', { operations })).status, 200);
    const asking = publish();
    await untilUnderWay(round);
    await worker.program.kill();
    for (const [slug, { prices, dishes }] of await pricesOf()) {
      assert.ok(dishes === 0 || dishes === DISHES, `${slug} has ${dishes} dishes`);
      assert.ok(prices.length <= 1, `${slug} has a mixture of prices: ${prices}`);
    }
    worker = await startWorker();
    await asking;
    // A repeat ends it, also where the first one goes on.
    await until('a branch lacks the publication', async () => {
      const again = await publish();
      if (again?.status !== 200) return false;
      return again.json.data.every(({ state }: { state: string }) => state === 'done');
    });
    for (const [slug, { prices, dishes }] of await pricesOf()) {
      assert.deepEqual([slug, prices, dishes], [slug, [round + 1], DISHES]);
    }
  }
});
