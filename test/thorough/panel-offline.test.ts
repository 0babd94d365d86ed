// Taps and saves while no gateway answers: they are kept in the browser, and sent when one does.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { connectBrowser, opens, openTab } from '../support/browser.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addUser, EMAIL, PASSWORD } from '../support/panel.ts';
import { narrowPhone } from '../support/panel-pages.ts';
import { dishOf, openDatabase, plant, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const dishes = ['Gricia', 'Carbonara'].map((name) => dishOf(name, { price: 11 }));
const restaurant = restaurantOf('trattoria', [sectionOf('Primi', { dishes })]);

let database: TestDatabase;
let gateway: ServiceProcess;
let worker: { stop(): Promise<void> };
let browser: Browser;

before(async () => {
  database = await createTestDatabase();
  const db = await openDatabase(database.url);
  await addUser(db, await plant(db, restaurant));
  await db.end();
  worker = await startTestWorker(database.url);
  gateway = await startService('gateway/main.ts', database.url);
  browser = await connectBrowser();
});
after(async () => {
  await browser.close();
  await kill();
  await worker.stop();
  await database.drop();
});

async function enter(path: string): Promise<Page> {
  const baseURL = `http://trattoria.localhost:${gateway.port}`;
  const context = await browser.newContext({
    baseURL,
    locale: 'it-IT',
    ...narrowPhone,
    hasTouch: true,
  });
  context.setDefaultTimeout(60_000);
  const page = await openTab(context);
  await page.goto(`/admin/sign-in?next=${encodeURIComponent(path)}`);
  await page.locator('#email').fill(EMAIL);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('main button.main').click();
  await page.waitForURL((url) => url.pathname === path);
  return page;
}

let isKilled = false;
async function kill(): Promise<void> {
  if (isKilled) return;
  process.kill(gateway.program.pid, 'SIGKILL');
  await gateway.program.ended;
  isKilled = true;
}
async function startAgain(): Promise<void> {
  const ports = { PORT: String(gateway.port), OPS_PORT: String(gateway.opsPort) };
  gateway = await startService('gateway/main.ts', database.url, ports);
  isKilled = false;
}

const dish = async (name: string) => {
  const [row] = await runSql(
    database.url,
    "select id, price, sold_out_until, is_sold_out from dishes where name->>'it' = $1",
    [name],
  );
  return row as { id: number; price: string; is_sold_out: boolean };
};
const versions = async () => (await runSql(database.url, 'select from versions')).length;

test('a tap in the kitchen without a gateway waits, is sent once, and shows then', async () => {
  const page = await enter('/admin/service');
  const before = await versions();
  await kill();
  await page.getByRole('button', { name: 'Gricia: Oggi' }).tap();
  const notice = page.locator('#outbox');
  await notice.getByText('Non c’è connessione').waitFor();
  assert.match(await notice.innerText(), /Gricia: Oggi/);
  assert.equal(await page.locator('li[data-waits]').count(), 1);
  assert.equal((await dish('Gricia')).is_sold_out, false);
  await startAgain();
  await notice.getByText('è stato inviato').waitFor();
  await page.locator('.service .gone .name').getByText('Gricia').waitFor();
  assert.equal((await dish('Gricia')).is_sold_out, true);
  assert.equal(await versions(), before + 1);
  await page.context().close();
});

test('the page of service opens without a gateway, and a tap of an extra waits there', async () => {
  await runSql(
    database.url,
    `with made as (
       insert into modifier_groups (tenant_id, name, options)
       select id, '{"it": "Salse"}', '[{"label_translations": {"it": "Verde"}, "price": 0,
         "allergens": null, "is_sold_out": false}]'
       from tenants returning id
     )
     update dishes set modifier_group_ids = array[(select id from made)]
     where name->>'it' = 'Gricia'`,
  );
  // A worker reads a menu again whose restaurant has changed.
  await runSql(database.url, 'update tenants set version = version');
  const page = await enter('/admin/service');
  await until('the page is not kept', () =>
    page.evaluate<boolean>(`caches.match('/admin/service').then((copy) => copy !== undefined &&
      navigator.serviceWorker.controller !== null)`),
  );
  await kill();
  await page.reload();
  await page.getByText('Senza connessione').waitFor();
  const group = page.locator('.service .group').first();
  await group.locator('summary').first().tap();
  const extra = group.locator('li').first();
  const name = (await extra.locator('.name').innerText()).trim();
  await extra.getByRole('button', { name: `${name}: Oggi` }).tap();
  await page.locator('#outbox').getByText('Non c’è connessione').waitFor();
  assert.match(await page.locator('#outbox').innerText(), new RegExp(name));
  await startAgain();
  await page.locator('#outbox').getByText('è stato inviato').waitFor();
  await page.locator('.service .group .gone .name', { hasText: name }).waitFor();
  const [row] = await runSql(
    database.url,
    `select options from modifier_groups where options @> '[{"is_sold_out": true}]'`,
  );
  assert.ok(row, 'no option is sold out');
  await page.context().close();
});

test('a save at the desk without a gateway waits, and a refusal shows all that was typed', async () => {
  const { id } = await dish('Carbonara');
  const path = `/admin/menu/items/${id}`;
  const page = await enter(path);
  const other = await enter(path);
  await page.locator('[name="price"]').fill('14');
  await kill();
  await page
    .getByRole('button', { name: /^Salva/ })
    .first()
    .tap();
  const notice = page.locator('#outbox');
  await notice.getByText('Non c’è connessione').waitFor();
  assert.equal(new URL(page.url()).pathname, path);
  await other.context().setOffline(true);
  // Somebody else changes the same field meanwhile.
  await page.context().setOffline(true);
  await startAgain();
  await other.context().setOffline(false);
  await other.locator('[name="price"]').fill('15');
  await other
    .getByRole('button', { name: /^Salva/ })
    .first()
    .tap();
  await until('the other price is not saved', async () => {
    return Number((await dish('Carbonara')).price) === 15;
  });
  await page.context().setOffline(false);
  await notice.getByText('È stato rifiutato').waitFor();
  await opens(page, () => notice.getByRole('button', { name: 'Guarda perché' }).tap());
  await page.locator('.notice.bad').first().waitFor();
  assert.equal(await page.locator('[name="price"]').inputValue(), '14');
  assert.equal(Number((await dish('Carbonara')).price), 15);
  await page.context().close();
  await other.context().close();
});
