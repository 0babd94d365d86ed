// The owner of a chain of three houses works with its pages on a phone, in Italian and German.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { opens } from '../support/browser.ts';
import { cloneHouse, follow, masterHouse } from '../support/chain.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { addUser } from '../support/panel.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { until } from '../support/until.ts';

const HOUSE_OWNER = 'remo@roma.example';

const pages = await panelPages([trattoria]);
const { service } = pages;
const master = await masterHouse(service, trattoria.slug);
const roma = await cloneHouse(service, master, 'roma');
const bari = await cloneHouse(service, master, 'bari');
await roma.ask('PUT', '/settings', { name: 'Trattoria Trastevere' });
await bari.ask('PUT', '/settings', { name: 'Trattoria da Michele al Porto Vecchio di Bari' });
for (const house of [roma, bari]) await follow(service, house, master, 'name');
await addUser(service.db, roma.id, HOUSE_OWNER);
const [dish, other] = await roma.ask('GET', '/items?per_page=2');

const guest = { locale: 'it', visitor_id: 'guest-0' };
const events = [
  { ...guest, type: 'item_view', item_id: dish.chain.master_id },
  { ...guest, type: 'search', query: 'senza glutine', results: 0 },
];

/** Checks a page of the story, and makes a picture of it where a folder for them is named. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await checkOnPhone(page);
}

const press = (page: Page, button: string) =>
  opens(page, () => page.locator(button).first().click());

for (const [locale, price] of [
  ['it-IT', 8.5],
  ['de-DE', 9.5],
] as const) {
  const options = { ...narrowPhone, locale };
  const named = (name: string) => `chain-${locale}-${name}`;

  test(`a chain is tried, published and brought back to one menu, ${locale}`, async () => {
    await master.ask('PUT', '/chain/policy', { fields: {} });
    await roma.ask('PUT', `/items/${dish.id}`, { price: price + 1, name: { it: 'Come a Roma' } });
    await bari.ask('PUT', `/items/${other.id}`, { price: 0 });
    const at = `/items/${dish.chain.master_id}`;
    await master.ask('PUT', at, { price, description: { it: `Per ${price}` } });
    const page = await pages.enter(master.slug, '/admin/chain', options);
    await look(page, named('home'));
    await page.locator('.create summary').click();
    await look(page, named('home-open'));
    await press(page, '.create button.main');
    for (const summary of await page.locator('main summary').all()) await summary.click();
    await look(page, named('tried'));
    await press(page, 'main form button.main');
    await look(page, named('published'));
    await page.goto('/admin/chain/deviations');
    await look(page, named('deviations'));
    await page.goto('/admin/chain/deviations?branch=roma');
    const values = page.locator('main .tokens > li');
    const before = await values.count();
    await press(page, 'main .tokens button');
    assert.equal(await values.count(), before - 1);
    await look(page, named('given-back'));
    await press(page, 'main form button.danger');
    assert.equal(await values.count(), 0);
    await look(page, named('given-all'));
    await service.client.sendEvents(events);
    await until('the guests are not counted', async () => {
      await page.goto('/admin/chain/statistics');
      return (await page.locator('table.houses').count()) === 3;
    });
    await look(page, named('statistics'));
    const { height } = (await page.locator('table.houses tbody th').first().boundingBox()) ?? {};
    assert.ok(height && height < 80, `a dish's name is ${height} px high`);
    assert.equal((await roma.ask('GET', `/items/${dish.id}`)).price, price);
    await page.context().close();
  });

  test(`a chain's rules and prices hold in a house that its owner visits, ${locale}`, async () => {
    const page = await pages.enter(master.slug, '/admin/chain/policy', options);
    await look(page, named('rules'));
    await page.locator('#locked-name').check();
    await page.locator('#bounded').fill('10');
    await press(page, 'main form button.main');
    await look(page, named('rules-saved'));
    await page.goto('/admin/chain/houses/roma');
    await look(page, named('house'));
    await page.locator('#percent').fill('-99');
    await press(page, 'form:has(#percent) button.main');
    await look(page, named('prices-refused'));
    await press(page, 'form[action$="/open"] button.main');
    await look(page, named('link'));
    await press(page, 'a[href*="/admin/link/"]');
    await look(page, named('enter'));
    await press(page, 'main form button.main');
    assert.equal(new URL(page.url()).host.split('.')[0], 'roma');
    await page.goto(`${new URL(page.url()).origin}/admin/menu/items/${dish.id}`);
    await look(page, named('locked'));
    assert.ok((await page.locator('.remark.locked').count()) >= 5);
    const changeable = await page.evaluate(`[...document.querySelectorAll('.remark.locked')]
      .map(({ previousElementSibling: field }) => field)
      .filter((field) => getComputedStyle(field).pointerEvents !== 'none')
      .map(({ outerHTML }) => outerHTML.slice(0, 100))`);
    assert.deepEqual(changeable, []);
    await page.goto(`${new URL(page.url()).origin}/admin/people`);
    await look(page, named('people'));
    await page.goto(`${new URL(page.url()).origin}/admin/account`);
    await look(page, named('account'));
    await page.context().close();
  });

  test(`a house sees what is its own, ${locale}`, async () => {
    await roma.ask('PUT', `/items/${dish.id}`, { price: price + 0.5 });
    const page = await pages.enter('roma', '/admin/chain', options, HOUSE_OWNER);
    await look(page, named('branch'));
    await press(page, 'main .tokens button');
    await look(page, named('branch-given'));
    assert.equal((await roma.ask('GET', `/items/${dish.id}`)).price, price);
    await page.context().close();
  });
}
