// Kills of the worker, the gateway and Postgres' connections while whole menus are imported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../bench/processes/free-port.ts';
import { createAdminClient, plantWithToken } from '../support/admin.ts';
import { createClient, type Response } from '../support/http.ts';
import { ownDatabase } from '../support/own-database.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { fileService } from '../support/service-process.ts';
import { often } from '../support/thorough.ts';
import { until } from '../support/until.ts';
import { insist } from './insist.ts';

/** Rounds of each kind; `IMPORT_KILLS=50` is the long run. */
const ROUNDS = Number(process.env.IMPORT_KILLS ?? often(2, 3));
const DISHES = 300;
const SLUG = 'cantiere';

const database = await ownDatabase();

const startGateway = () => fileService('gateway/main.ts', database.url, { PORT: String(port) });
const startWorker = () => fileService('workers/main.ts', database.url);

const restaurant = restaurantOf(SLUG, [sectionOf('S', [dishOf('D')])]);
const { token } = await plantWithToken(database.url, restaurant);
const port = await freePort();
const client = createClient(port, `${SLUG}.localhost`);
const admin = createAdminClient(client, token);
let [gateway, worker] = await Promise.all([startGateway(), startWorker()]);

/** A menu in which every record tells the round. */
function menuOf(round: number): object {
  return {
    format: 'lavagna-menu/1',
    categories: [{ external_id: 's', name: { it: `Giro ${round}` } }],
    items: Array.from({ length: DISHES }, (_, at) => ({
      // Some stay, some go and some come in each round.
      external_id: `d${at + (round % 2) * 50}`,
      category_external_id: 's',
      name: { it: `Giro ${round}` },
      price: round,
    })),
  };
}

/** Sends an import until its result is known. */
async function importMenu(round: number): Promise<Response> {
  const key = { 'Idempotency-Key': `giro-${round}` };
  const path = '/import?delete_missing=all';
  return (await insist(() => admin.call('PUT', path, menuOf(round), key))).expect(200);
}

/** The round of a menu, which all of its records agree on. */
function roundOf(names: readonly string[]): string {
  const [first = '', ...others] = new Set(names);
  assert.deepEqual(others, [], 'the menu is a mixture of two');
  return first;
}

async function assertWhole(): Promise<void> {
  const rows = await database.sql`select name->>'it' as name from dishes where deleted_at is null
     union all select name->>'it' from sections where deleted_at is null`;
  const stored = roundOf(rows.map(({ name }) => name));
  assert.equal(rows.length, DISHES + 1);
  await until('the gateway does not show the stored menu', async () => {
    const reply = await client.get('/menu').catch(() => null);
    if (reply?.status !== 200) return false;
    const [section] = reply.json.data.sections;
    const names = section.items.map((item: { name: string }) => item.name);
    return roundOf([section.name, ...names]) === stored;
  });
}

let round = 0;
let versions = 0;

/** Waits for a transaction of the queue that has begun to change something. */
async function untilBusy(isOver: () => boolean): Promise<void> {
  await until('no import is under way', async () => {
    const [row] =
      await database.sql(`select exists (select from pg_stat_activity where datname = current_database()
         and application_name = 'lavagna queue' and backend_xid is not null) as busy`);
    return row.busy || isOver();
  });
}

async function versionNow(): Promise<number> {
  const [row] = await database.sql('select version from tenants where slug = $1', [SLUG]);
  return row.version;
}

/** Imports menus, each of them with a fault in its middle. */
async function importWith(fault: () => Promise<void>): Promise<void> {
  for (let count = 0; count < ROUNDS; count += 1) {
    round += 1;
    versions = await versionNow();
    let isOver = false;
    const importing = importMenu(round).finally(() => {
      isOver = true;
    });
    importing.catch(() => undefined);
    await untilBusy(() => isOver);
    await fault();
    await importing;
    await assertWhole();
    assert.equal(await versionNow(), versions + 1, 'an import was done twice');
    await importMenu(round);
    assert.equal(await versionNow(), versions + 1, 'a repeat was done again');
  }
}

test('before any fault a menu is imported', async () => {
  const [section] = (await admin.get('/export')).json.data.categories;
  await admin.call('DELETE', `/categories/${section.id}`);
  await importMenu(round);
  await assertWhole();
});

test('a worker that is killed during an import leaves the old menu or the new one', async () => {
  await importWith(async () => {
    await worker.program.kill();
    const [row] = await database.sql`
      select count(distinct name)::int as names from dishes where deleted_at is null`;
    assert.equal(row.names, 1);
    worker = await startWorker();
  });
});

test('a gateway that is killed during an import loses neither it nor its menu', async () => {
  await importWith(async () => {
    await gateway.program.kill();
    gateway = await startGateway();
  });
});

test('connections to Postgres that end during an import leave the old menu or the new one', async () => {
  await importWith(async () => {
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'lavagna%'`;
  });
});
