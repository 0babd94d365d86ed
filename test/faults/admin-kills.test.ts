import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../bench/processes/free-port.ts';
import { createAdminClient, plantWithToken } from '../support/admin.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createClient } from '../support/http.ts';
import { assertJournal } from '../support/judge-journal.ts';
import { ownDatabase } from '../support/own-database.ts';
import type { TestProcess } from '../support/process.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { startService } from '../support/service-process.ts';
import { often } from '../support/thorough.ts';
import { startTestWorker } from '../support/worker.ts';
import { insist } from './insist.ts';

const TENANTS = 4;
/** Of each process. */
const KILLS = Number(process.env.KILLS ?? often(2, 3));
/** Between two looks at what happens. */
const PAUSE_MS = 5;
/** Statements of a worker's transaction, in the middle of a write. */
const CHANGES_MENU = '(from writes where|insert into (dishes|snapshot)|update writes)';

const database = await ownDatabase();
const tenants: { slug: string; token: string; sectionId: number }[] = [];
for (let index = 0; index < TENANTS; index += 1) {
  const slug = `locale-${index}`;
  const restaurant = restaurantOf(slug, [sectionOf('S', [dishOf('D')])]);
  tenants.push({ slug, ...(await plantWithToken(database.url, restaurant)) });
}

/** Writes for every tenant, one after the other for each, until `goesOn` says no more. */
async function writeAll(port: number, label: string, goesOn: () => boolean): Promise<string[]> {
  const done: string[] = [];
  const write = async ({ slug, token, sectionId }: (typeof tenants)[number]) => {
    const admin = createAdminClient(createClient(port, `${slug}.localhost`), token);
    for (let count = 0; goesOn(); count += 1) {
      const name = `${label} ${slug} ${count}`;
      const body = { category_id: sectionId, name: { it: name } };
      const key = { 'Idempotency-Key': name };
      (await insist(() => admin.call('POST', '/items', body, key))).expect(201);
      done.push(name);
    }
  };
  await Promise.all(tenants.map(write));
  return done;
}

/** Every dish that was promised is there, and none of them twice. */
async function assertOnce(label: string, names: string[]): Promise<void> {
  const rows = await database.sql`select name->>'it' as name, count(*)::int as count from dishes
     where name->>'it' like ${label} || ' %' group by 1`;
  assert.deepEqual(new Set(rows.map(({ name }) => name)), new Set(names));
  assert.ok(rows.every(({ count }) => count === 1));
}

/** Resolves when a worker has something in hand: a transaction that changes the menu. */
async function untilBusy(): Promise<void> {
  for (let busy = false; !busy; ) {
    const [row] = await database.sql`select exists (select from pg_stat_activity
         where datname = current_database() and application_name = 'lavagna queue'
           and backend_xid is not null and query ~* ${CHANGES_MENU}) as busy`;
    busy = row.busy;
    await sleep(PAUSE_MS);
  }
}

test('a worker killed in the middle of its work loses nothing and does nothing twice', async () => {
  const gateway: TestGateway = await startTestGateway(database.url);
  let killing = true;
  const writing = writeAll(gateway.port, 'Operaio', () => killing);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { program: worker } = await startService('workers/main.ts', database.url);
    await untilBusy();
    await worker.kill();
  }
  killing = false;
  const worker = await startTestWorker(database.url);
  const names = await writing;
  assert.ok(names.length >= TENANTS);
  await assertOnce('Operaio', names);
  await assertJournal(database.url);
  console.log(`admin-kills: ${KILLS} kills of a worker, ${names.length} writes`);
  await worker.stop();
  await gateway.stop();
});

test('of two workers one is killed in the middle of its work, and the other one goes on', async () => {
  const gateway: TestGateway = await startTestGateway(database.url);
  const start = async () => (await startService('workers/main.ts', database.url)).program;
  const workers = [await start(), await start()];
  let killing = true;
  const writing = writeAll(gateway.port, 'Capo', () => killing);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await untilBusy();
    const victim = workers.shift() as TestProcess;
    await victim.kill();
    await untilBusy();
    workers.push(await start());
  }
  killing = false;
  const names = await writing;
  assert.ok(names.length >= TENANTS);
  await assertOnce('Capo', names);
  await assertJournal(database.url);
  await Promise.all(workers.map((worker) => worker.stop()));
  await gateway.stop();
});

test('a gateway killed in the middle of requests loses nothing that it promised', async () => {
  const worker = await startTestWorker(database.url);
  const port = await freePort();
  const env = { PORT: String(port) };
  const start = () => startService('gateway/main.ts', database.url, env);
  let killing = true;
  const writing = writeAll(port, 'Portone', () => killing);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { program: gateway } = await start();
    const before = await database.sql('select count(*)::int as count from writes');
    for (let after = before; after[0].count < before[0].count + 5; ) {
      await sleep(PAUSE_MS);
      after = await database.sql('select count(*)::int as count from writes');
    }
    await gateway.kill();
  }
  killing = false;
  const { program: gateway } = await start();
  const names = await writing;
  assert.ok(names.length >= KILLS * 5);
  await assertOnce('Portone', names);
  await assertJournal(database.url);
  console.log(`admin-kills: ${KILLS} kills of a gateway, ${names.length} writes`);
  await gateway.stop();
  await worker.stop();
});
