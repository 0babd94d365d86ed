// The page keeps up with the menu, gets over outages and tells what guests look at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Route } from 'playwright-core';
import { pizzeria, trattoria } from '../../db/operator/demo/restaurant.ts';
import { dish, displayPages, PAGE_CHECK } from '../support/display-pages.ts';
import { until } from '../support/until.ts';

/** Far from any midnight. */
const NOON = '2026-11-10T12:00:00Z';
const pages = await displayPages([trattoria, pizzeria], { alone: true });

/** How many pages follow the stream. */
const streams = async () => Number(/^lavagna_streams (\d+)/m.exec(await pages.metrics())?.[1]);

/** Changes the price of a dish of the trattoria that a page shows. */
async function changePrice(shown: Locator, price: number): Promise<void> {
  const id = (await shown.getAttribute('id'))?.slice('dish-'.length);
  const statement = `update dishes set price = ${price} where tenant_id = $1 and id = ${id}`;
  await pages.change('trattoria', statement);
}

test('a change shows without a reload, and what a guest has open stays open', async () => {
  const { page } = await pages.open('trattoria', { query: '?lang=en' });
  await page.evaluate('window.same = true');
  const carbonara = dish(page, 'Rigatoni alla carbonara');
  await carbonara.locator('summary').click();
  await page.fill('#search', 'guanciale');
  await changePrice(carbonara, 14.5);
  await page.clock.fastForward('01:30');
  await carbonara.locator('.price', { hasText: '€14.50' }).waitFor();
  await carbonara.locator('.more').waitFor();
  assert.equal(await dish(page, 'Supplì al telefono').isVisible(), false);
  assert.equal(await page.evaluate('window.same'), true);
});

test('of two changes in the same second, both show', async (t) => {
  const { page } = await pages.open('trattoria', { live: true, query: '?lang=en' });
  const carbonara = dish(page, 'Rigatoni alla carbonara');
  await until('the stream is not open', async () => (await streams()) === 1);
  const now = Date.now();
  for (const amount of [21, 22]) {
    t.mock.timers.enable({ apis: ['Date'], now });
    await changePrice(carbonara, amount);
    t.mock.timers.reset();
    let steps = 0;
    await until(`the page does not show ${amount}`, async () => {
      steps += 1;
      assert.ok(steps < 600, 'five minutes after a word from the stream a page asks in any case');
      await page.clock.runFor(400);
      return (await carbonara.locator('.price').textContent())?.includes(`€${amount}.00`) ?? false;
    });
  }
});

test('until a changed theme’s colours come, the former ones stay, and the newest come last', async () => {
  const { context, page } = await pages.open('trattoria', { serviceWorkers: 'block' });
  await page.evaluate('window.same = true');
  const asked: Route[] = [];
  await context.route('**/theme.css', async (route) => {
    // The page keeps copies for outages, too.
    if (route.request().resourceType() === 'fetch') return route.continue();
    asked.push(route);
    if (asked.length === 1) await route.fulfill({ status: 503, body: '' });
    if (asked.length === 3) await route.continue();
  });
  const isAsked = (times: number) =>
    until(`the stylesheet is not asked for ${times} times`, async () => asked.length === times);
  const change = async (layout: string, background: string) => {
    const style = `layout_variant = '${layout}', background_color = '${background}'`;
    await pages.change('trattoria', `update themes set ${style} where tenant_id = $1`);
    await page.clock.fastForward('01:30');
    await page.waitForSelector(`html[data-layout=${layout}]`);
  };
  const ground = () =>
    page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--page").trim()');
  const former = await ground();
  await change('grid', '#101820');
  await isAsked(1);
  assert.equal(await ground(), former);
  // The second answer never comes: the next change overtakes it.
  while (asked.length < 2) await page.clock.runFor('00:01');
  await change('classic', '#fffff0');
  await isAsked(3);
  await until('the newest are not there', async () => (await ground()) === '#fffff0');
  assert.equal(await page.locator('link[href$="/theme.css"]').count(), 1);
  assert.equal(await page.locator('#theme').count(), 1);
  assert.equal(await page.evaluate('window.same'), true);
});

test('an outage leaves the menu, also after a reload, and ends with the gateway’s return', async () => {
  const { page } = await pages.open('pizzeria', { query: '?lang=de' });
  // Only now the page could open without the gateway.
  const isKept = `caches.match('/')
    .then((page) => page !== undefined && navigator.serviceWorker.controller !== null)`;
  await until('the page is not kept', () => page.evaluate<boolean>(isKept));
  await pages.stopGateway();
  await page.clock.fastForward('02:00');
  await page.locator('#outage', { hasText: 'Keine Verbindung: Das ist die Karte von' }).waitFor();
  await page.reload();
  await page.locator('#outage', { hasText: 'Keine Verbindung' }).waitFor();
  assert.ok((await page.locator('.dish:visible').count()) > 20);
  await pages.restartGateway();
  await page.clock.fastForward('10:00');
  await page.locator('#outage:empty').waitFor({ state: 'attached' });
});

test('a 429 is obeyed, also when another day of the restaurant begins', async () => {
  const { context, page } = await pages.open('pizzeria', { time: '2026-11-10T22:55:00Z' });
  let asked = 0;
  await context.route(PAGE_CHECK, async (route) => {
    asked += 1;
    await route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, body: '{}' });
  });
  await page.clock.fastForward('01:30');
  await page.locator('#outage:not(:empty)').waitFor();
  assert.equal(asked, 1);
  await page.clock.runFor('09:00');
  assert.equal(asked, 1);
  while (asked < 2) await page.clock.runFor('00:30');
});

test('what guests look at is told to the restaurant, under ids that make repeats harmless', async () => {
  // A guest has another id on another day.
  const options = { query: '?lang=it', time: NOON };
  const { page, events, sent } = await pages.open('trattoria', options);
  const run = () => page.clock.runFor('00:20');
  await dish(page, 'Supplì al telefono').locator('summary').click();
  await page.fill('#search', 'carciofi');
  await page.click('#filter');
  await page.locator('#choices label', { hasText: 'Sedano' }).click();
  await page.locator('#choices label', { hasText: 'Sedano' }).click();
  await page.fill('#search', '');
  await page.locator('#languages a', { hasText: 'FR' }).click();
  await page.waitForSelector('html[lang=fr]');
  await page.evaluate(`document.querySelector('main > section:nth-child(3)').scrollIntoView()`);
  await page.locator('#sections [aria-current=true]', { hasText: 'Premiers plats' }).waitFor();
  // Where the system chooses the colours, there are no shadows.
  await page.emulateMedia({ forcedColors: 'active' });
  for (const present of ['#sections [aria-current=true]', '#languages [aria-current=true]']) {
    const style = `getComputedStyle(document.querySelector('${present}'))`;
    assert.equal(await page.evaluate(`${style}.textDecorationLine`), 'underline', present);
  }
  await page.emulateMedia({ forcedColors: null });
  await run();
  const first = await sent({ type: 'menu_view', locale: 'it' });
  assert.match(String(first.id), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
  const item = (await dish(page, 'Supplì al telefono').getAttribute('id'))?.slice('dish-'.length);
  await sent({ type: 'item_view', item_id: Number(item) });
  await sent({ type: 'allergen_filter', allergen: 'sedano' });
  await sent({ type: 'locale_change', locale: 'fr' });
  const section = await page.locator('main > section').nth(2).getAttribute('id');
  await sent({ type: 'section_view', category_id: Number(section?.slice('section-'.length)) });
  await page.fill('#search', 'tiramisù');
  await run();
  await sent({ type: 'search', query: 'tiramisù', results: 1 });
  assert.equal(new Set(events.map(({ visitor_id }) => visitor_id)).size, 1);
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
});

test('events that could not be taken are sent again with the same ids', async () => {
  const { context, page, events, sent } = await pages.open('pizzeria');
  await page.clock.runFor('00:20');
  await sent({ type: 'menu_view' });
  const bodies: string[] = [];
  await context.route('**/api/v1/analytics/events', async (route) => {
    bodies.push(route.request().postData() ?? '');
    await route.fulfill({ status: 503, headers: { 'Retry-After': '5' }, body: '{}' });
  });
  // Events of the opening may have been taken already.
  const taken = events.length;
  await page.locator('.dish summary').first().click();
  while (bodies.length < 2) await page.clock.runFor('00:02');
  assert.equal(bodies[1], bodies[0]);
  assert.equal(events.length, taken);
});

test('a change shows on every open page at once, and a page that is hidden holds no stream', async () => {
  const { page } = await pages.open('trattoria', { live: true, query: '?lang=en' });
  const opened: string[] = [];
  page.on('request', (request) => opened.push(new URL(request.url()).pathname));
  await until('the stream is not open', async () => (await streams()) === 1);
  // The page's clock stands: what it shows now, it was told.
  await page.clock.pauseAt(Date.now() + 60_000);
  const carbonara = dish(page, 'Rigatoni alla carbonara');
  await changePrice(carbonara, 15.5);
  await until('the change is not shown', async () => {
    await page.clock.runFor(400);
    return /15\.50/.test(await carbonara.locator('.price').innerText());
  });
  assert.ok(!opened.some((path) => path.startsWith('/api/v1/menu')));
  const hide = (hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await hide(true);
  await until('the stream is still open', async () => (await streams()) === 0);
  await hide(false);
  await until('the stream is not open again', async () => (await streams()) === 1);
});
