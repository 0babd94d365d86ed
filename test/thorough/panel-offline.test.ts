// Taps and saves while no gateway answers: they are kept in the browser, and sent when one does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { connectBrowser, opens, openTab } from '../support/browser.ts';
import { afterFile } from '../support/for-file.ts';
import { ownDatabase } from '../support/own-database.ts';
import { addUser, EMAIL, PASSWORD } from '../support/panel.ts';
import { narrowPhone } from '../support/panel-pages.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { fileService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { testWorker } from '../support/worker.ts';

const dishes = ['Gricia', 'Carbonara'].map((name) => dishOf(name, { price: 11 }));
const restaurant = restaurantOf('trattoria', [sectionOf('Primi', { dishes })]);

const { db, url, sql } = await ownDatabase();
await addUser(db, await plant(db, restaurant));
await testWorker(url);
let gateway = await fileService('gateway/main.ts', url);
const browser = await connectBrowser();
afterFile(() => browser.close());

async function enter(path: string): Promise<Page> {
  const baseURL = `http://trattoria.localhost:${gateway.port}`;
  const options = { baseURL, locale: 'it-IT', ...narrowPhone, hasTouch: true };
  const context = await browser.newContext(options);
  context.setDefaultTimeout(60_000);
  const page = await openTab(context);
  await page.goto(`/admin/sign-in?next=${encodeURIComponent(path)}`);
  await page.locator('#email').fill(EMAIL);
  await page.locator('#password').fill(PASSWORD);
  await page.locator('main button.main').click();
  await page.waitForURL((url) => url.pathname === path);
  return page;
}

async function startAgain(): Promise<void> {
  const ports = { PORT: String(gateway.port), OPS_PORT: String(gateway.opsPort) };
  gateway = await fileService('gateway/main.ts', url, ports);
}

const dish = async (name: string) => {
  const [row] = await sql`select id, price, sold_out_until, is_sold_out from dishes
    where name->>'it' = ${name}`;
  return row as { id: number; price: string; is_sold_out: boolean };
};
const saveButton = (page: Page) => page.getByRole('button', { name: /^Salva/ }).first();
const versions = async () => (await sql('select from versions')).length;

test('a tap in the kitchen without a gateway waits, is sent once, and shows then', async () => {
  const page = await enter('/admin/service');
  const before = await versions();
  await gateway.program.kill();
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
  await sql(
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
  await sql('update tenants set version = version');
  const page = await enter('/admin/service');
  await until('the page is not kept', () =>
    page.evaluate<boolean>(`caches.match('/admin/service').then((copy) => copy !== undefined &&
      navigator.serviceWorker.controller !== null)`),
  );
  await gateway.program.kill();
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
  const gone = `select from modifier_groups where options @> '[{"is_sold_out": true}]'`;
  assert.ok((await sql(gone)).length > 0, 'no option is sold out');
  await page.context().close();
});

test('a save at the desk without a gateway waits, and a refusal shows all that was typed', async () => {
  const { id } = await dish('Carbonara');
  const path = `/admin/menu/items/${id}`;
  const page = await enter(path);
  const other = await enter(path);
  await page.locator('[name="price"]').fill('14');
  await gateway.program.kill();
  await saveButton(page).tap();
  const notice = page.locator('#outbox');
  await notice.getByText('Non c’è connessione').waitFor();
  assert.equal(new URL(page.url()).pathname, path);
  await other.context().setOffline(true);
  // Somebody else changes the same field meanwhile.
  await page.context().setOffline(true);
  await startAgain();
  await other.context().setOffline(false);
  await other.locator('[name="price"]').fill('15');
  await saveButton(other).tap();
  const price = async () => Number((await dish('Carbonara')).price);
  await until('the other price is not saved', async () => (await price()) === 15);
  await page.context().setOffline(false);
  await notice.getByText('È stato rifiutato').waitFor();
  await opens(page, () => notice.getByRole('button', { name: 'Guarda perché' }).tap());
  await page.locator('.notice.bad').first().waitFor();
  assert.equal(await page.locator('[name="price"]').inputValue(), '14');
  assert.equal(await price(), 15);
  await page.context().close();
  await other.context().close();
});
