// The owner of a chain of three houses works with its pages on a phone. They fit it in the language
// with the longest words, and in all others on the long walk and for pictures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { certain } from '../../db/runtime/certain.ts';
import { opens, openTab } from '../support/browser.ts';
import { cloneHouse, follow, masterHouse } from '../support/chain.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { addUser } from '../support/panel.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { isThorough } from '../support/thorough.ts';
import { until } from '../support/until.ts';

const HOUSE_OWNER = 'remo@roma.example';
/** Languages beside the one in which the story is told. */
const OTHERS =
  isThorough || process.env.SCREENSHOTS ? (['de', 'fr', 'es', 'en'] as const) : (['de'] as const);

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
const path = `/admin/menu/items/${dish.id}`;

const guest = { locale: 'it', visitor_id: 'guest-0' };
const events = [
  { ...guest, type: 'item_view', item_id: dish.chain.master_id },
  { ...guest, type: 'search', query: 'senza glutine', results: 0 },
];

/** Checks a page of the story. */
async function look(page: Page, name: string): Promise<void> {
  await keepPicture(page, `chain-it-${name}`);
  await checkOnPhone(page);
}

const UNFOLD = 'for (const one of document.querySelectorAll("main details")) one.open = true';

/** Pages by the names of their pictures: how each is opened. */
type Visits = Readonly<Record<string, (page: Page) => Promise<unknown>>>;

/** Opens pages in each of the other languages, for the person who has signed in: their words fit. */
async function lookInOthers(shown: Page, visits: Visits): Promise<void> {
  const storageState = await shown.context().storageState();
  const baseURL = new URL(shown.url()).origin;
  for (const locale of OTHERS) {
    const options = { ...narrowPhone, baseURL, storageState, locale };
    const page = await openTab(
      certain(await shown.context().browser()?.newContext(options), 'none'),
    );
    for (const [name, open] of Object.entries(visits)) {
      await open(page);
      assert.equal(await page.locator('html').getAttribute('lang'), locale);
      await page.evaluate(UNFOLD);
      await keepPicture(page, `chain-${locale}-${name}`);
      await checkOnPhone(page, false);
    }
    await page.context().close();
  }
}

const at = (path: string) => (page: Page) => page.goto(path);

const press = (page: Page, button: string) =>
  opens(page, () => page.locator(button).first().click());

test('a chain is tried, published and brought back to one menu', async () => {
  const price = 8.5;
  await roma.ask('PUT', `/items/${dish.id}`, { price: price + 1, name: { it: 'Come a Roma' } });
  await bari.ask('PUT', `/items/${other.id}`, { price: 0 });
  await master.ask('PUT', `/items/${dish.chain.master_id}`, {
    price,
    description: { it: `Per ${price}` },
  });
  const page = await pages.enter(master.slug, '/admin/chain', narrowPhone);
  await look(page, 'home');
  await page.locator('.create summary').click();
  await look(page, 'home-open');
  await press(page, '.create button.main');
  for (const summary of await page.locator('main summary').all()) await summary.click();
  await look(page, 'tried');
  await press(page, 'main form button.main');
  await look(page, 'published');
  await lookInOthers(page, {
    home: at('/admin/chain'),
    tried: async (other) => {
      await other.goto('/admin/chain');
      await press(other, '.create button.main');
    },
    published: at('/admin/chain/published'),
    deviations: at('/admin/chain/deviations'),
    question: async (other) => {
      await other.goto('/admin/chain/deviations');
      await press(other, 'main .list-head button.danger');
    },
    rules: at('/admin/chain/policy'),
    house: at('/admin/chain/houses/roma'),
  });
  await page.goto('/admin/chain/deviations');
  await look(page, 'deviations');
  await page.goto('/admin/chain/deviations?branch=roma');
  const values = page.locator('main .tokens > li');
  const before = await values.count();
  await press(page, 'main .tokens button');
  assert.equal(await values.count(), before - 1);
  await look(page, 'given-back');
  await press(page, 'main .list-head button.danger');
  assert.equal(await values.count(), before - 1);
  assert.match((await page.locator('.notice').textContent()) ?? '', /valor.* tornan?o? al valore/);
  await look(page, 'question');
  await press(page, '.notice button.danger');
  assert.equal(await values.count(), 0);
  await look(page, 'given-all');
  await service.client.sendEvents(events);
  await until('the guests are not counted', async () => {
    await page.goto('/admin/chain/statistics');
    return (await page.locator('table.houses').count()) === 3;
  });
  await look(page, 'statistics');
  const { height } = (await page.locator('table.houses tbody th').first().boundingBox()) ?? {};
  assert.ok(height && height < 80, `a dish's name is ${height} px high`);
  await lookInOthers(page, { statistics: at('/admin/chain/statistics') });
  assert.equal((await roma.ask('GET', `/items/${dish.id}`)).price, price);
});

test('a chain’s rules and prices hold in a house that its owner visits', async () => {
  const page = await pages.enter(master.slug, '/admin/chain/policy', narrowPhone);
  await look(page, 'rules');
  await page.locator('#locked-name').check();
  await page.locator('#bounded').fill('10');
  await press(page, 'main form button.main');
  await look(page, 'rules-saved');
  await page.goto('/admin/chain/houses/roma');
  await look(page, 'house');
  await page.locator('#percent').fill('-99');
  await press(page, 'form:has(#percent) button.main');
  await look(page, 'prices-refused');
  await press(page, 'form[action$="/open"] button.main');
  await look(page, 'link');
  await press(page, 'a[href*="/admin/link/"]');
  await look(page, 'enter');
  await lookInOthers(page, { enter: at(page.url()) });
  await press(page, 'main form button.main');
  const { origin, host } = new URL(page.url());
  assert.equal(host.split('.')[0], 'roma');
  await page.goto(`${origin}${path}`);
  await look(page, 'locked');
  assert.ok((await page.locator('.of-chain').count()) >= 5);
  await page.goto(`${origin}/admin/people`);
  await look(page, 'people');
  await page.goto(`${origin}/admin/account`);
  await look(page, 'account');
});

test('a house sees what is its own', async () => {
  await roma.ask('PUT', `/items/${dish.id}`, { price: 9 });
  const page = await pages.enter('roma', '/admin/chain', narrowPhone, HOUSE_OWNER);
  await look(page, 'branch');
  await press(page, 'main .tokens button');
  await look(page, 'branch-given');
  assert.equal((await roma.ask('GET', `/items/${dish.id}`)).price, 8.5);
});

test('fields that the chain decides are read, and not reached by the keyboard', async () => {
  // One of each kind of control: texts, a list to choose from, a photo, boxes, rows and allergens.
  const names = ['name', 'category_id', 'photo_id', 'price_on_request', 'labels', 'variants'];
  const locked = Object.fromEntries(names.map((name) => [name, 'locked']));
  const fields = { items: { ...locked, price: 'free' } };
  await master.ask('PUT', '/chain/policy', { fields });
  const before = await roma.ask('GET', `/items/${dish.id}`);
  const page = await pages.enter('roma', path, narrowPhone, HOUSE_OWNER);
  await lookInOthers(page, { branch: at('/admin/chain'), locked: at(path) });
  await page.evaluate(UNFOLD);
  await look(page, 'all-locked');
  const group = page.getByRole('group', { name: 'Decide la catena: qui non si cambia.' });
  for (const name of [...names, 'allergens']) {
    const part = group.and(page.locator(`[aria-labelledby="f-${name}-chain"]`));
    const controls = part.locator('input, select, textarea, button');
    assert.ok((await controls.count()) > 0, name);
    for (const one of await controls.all()) assert.ok(await one.isDisabled(), name);
  }
  const reached = new Set<string>();
  await page.locator('[name="price"]').fill('8,90');
  for (let steps = 0; steps < 400; steps += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate<string>(`(() => {
      const { activeElement: one } = document;
      return one.closest('.save') ? 'save' : one.closest('form.editor') ? (one.name ?? '') : 'out';
    })()`);
    if (name === 'out') break;
    reached.add(name.split('.')[0] ?? '');
    if (name === 'save') break;
  }
  assert.ok(reached.has('kcal') && reached.has('save'), [...reached].join(' '));
  for (const name of [...names, 'allergen', 'allergens']) assert.ok(!reached.has(name), name);
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'è salvato' }).waitFor();
  const { price, updated_at: _then, chain, ...after } = await roma.ask('GET', `/items/${dish.id}`);
  const { price: _price, updated_at: _before, chain: former, ...same } = before;
  assert.deepEqual([price, chain.own_fields], [8.9, [...former.own_fields, 'price'].sort()]);
  assert.deepEqual(after, same);
});
