// The menu as a page, in a real browser against a real gateway.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Database } from '../db/connection.ts';
import { pizzeria } from '../db/demo/pizzeria.ts';
import { trattoria } from '../db/demo/trattoria/index.ts';
import { bumpVersion } from '../db/queries/bump-version.ts';
import { rebuildSnapshots } from '../db/snapshot/rebuild.ts';
import { startBrowser, type TestBrowser } from './support/browser.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { attack, dark, light, odd, small } from './support/display-restaurants.ts';
import { desk, openVisit, phone, type VisitOptions } from './support/display-visit.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { openDatabase, plant } from './support/restaurant.ts';
import { runSql } from './support/sql.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let database: TestDatabase;
let db: Database;
let gateway: TestGateway;
let browser: TestBrowser;
const ids = new Map<string, number>();

before(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.url);
  for (const restaurant of [trattoria, pizzeria, light, dark, odd, small]) {
    ids.set(restaurant.slug, await plant(db, restaurant));
  }
  gateway = await startTestGateway(database.url);
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await gateway.stop();
  await db.end();
  await database.drop();
});

const urlOf = (slug: string, query = '') => `http://${slug}.localhost:${gateway.port}/${query}`;

/** Opens the restaurant's page in a browser without a past. */
const visit = (slug: string, options: VisitOptions & { query?: string } = {}) =>
  openVisit(browser.browser, urlOf(slug, options.query), options);

/** Changes a restaurant's menu; the gateway serves the change when this resolves. */
async function change(slug: string, statement: string): Promise<void> {
  const tenantId = ids.get(slug) as number;
  const etag = async () => (await gateway.client(slug).get('/menu')).headers.etag;
  const former = await etag();
  await runSql(database.url, statement, [tenantId]);
  await db.transaction(async (tx) => {
    await bumpVersion(tx, tenantId);
    await rebuildSnapshots(tx, tenantId);
  });
  while ((await etag()) === former) assert.ok(gateway);
}

const dish = (page: Page, name: string) => page.locator('.dish', { hasText: name });

test('the page is a shell that browsers ask about, with files that they keep for good', async () => {
  const client = gateway.client('trattoria');
  const shell = await client.send('/');
  assert.equal(shell.status, 200);
  assert.equal(shell.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(shell.headers['cache-control'], 'no-cache');
  assert.match(shell.headers['content-security-policy'] ?? '', /script-src 'self';/);
  const etag = shell.headers.etag ?? '';
  const again = await client.send('/', { headers: { 'If-None-Match': etag } });
  assert.equal(again.status, 304);
  assert.doesNotMatch(shell.text, /<style|<script>|style="|onclick/);
  const files = [...shell.text.matchAll(/(?:href|src)="(\/display\/[^"]+)"/g)].map(
    ([, url]) => url,
  );
  assert.ok(files.length > 5);
  for (const file of new Set(files)) {
    const asset = await client.send(file ?? '', { headers: { 'Accept-Encoding': 'br' } });
    assert.equal(asset.status, 200, file);
    assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable', file);
    assert.equal(asset.headers['content-encoding'], 'br', file);
  }
  const other = await client.send('/display/other/display.js');
  assert.equal(other.headers['cache-control'], 'no-cache');
});

test('other paths stay JSON, and hosts that are nobody’s have no menu', async () => {
  const client = gateway.client('trattoria');
  for (const path of ['/nothing', '/display', '/display/x/nothing.js', '/display/../db']) {
    const answer = await client.send(path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.json.success, false, path);
  }
  assert.equal((await client.send('/', { method: 'POST' })).status, 405);
  const unknown = await gateway.client('nobody').send('/');
  assert.equal(unknown.status, 404);
});

test('a guest sees sections, dishes, prices, wineries and allergens', async () => {
  const { context, page } = await visit('trattoria', { query: '?lang=de' });
  assert.equal(await page.title(), 'Trattoria da Iole');
  assert.equal(await page.getAttribute('html', 'lang'), 'de');
  const carbonara = dish(page, 'Rigatoni alla carbonara');
  assert.match(await carbonara.locator('.price').innerText(), /^13,00\s€$/);
  assert.equal(await carbonara.locator('.marks').innerText(), '1\u2009·\u20093\u2009·\u20097');
  assert.equal(await carbonara.locator('.tip').innerText(), 'Consigliato da Iole');
  await carbonara.locator('summary').click();
  assert.equal(
    await carbonara.locator('.more').innerText(),
    'Enthält: Glutenhaltiges Getreide, Eier, Milch',
  );
  const wine = dish(page, 'Frascati Superiore');
  assert.match(await wine.locator('.winery').innerText(), /^Cantina Colle Sant'Anna · Lazio/);
  const kinds = await page.$$eval('main > section', (all) => all.map((one) => one.className));
  assert.equal(kinds.lastIndexOf('standard') < kinds.indexOf('wine'), true);
  assert.equal(await page.locator('#legend li').count(), 14);
  // What has no German text says which language it is in.
  assert.equal(await page.locator('h2', { hasText: 'Fuori carta' }).getAttribute('lang'), 'it');
  await context.close();
});

test('the language is the one asked for, else remembered, else the browser’s, else the default', async () => {
  const { context, page } = await visit('pizzeria', { locale: 'it-CH' });
  const lang = () => page.getAttribute('html', 'lang');
  assert.equal(await lang(), 'it');
  await page.locator('#languages button', { hasText: 'DE' }).click();
  await page.waitForSelector('html[lang=de]');
  assert.equal(await page.locator('h2').first().innerText(), 'Vorspeisen');
  assert.equal(await page.getAttribute('#languages [lang=de]', 'aria-pressed'), 'true');
  assert.match(page.url(), /\?lang=de$/);
  await page.goto(urlOf('pizzeria'));
  await page.waitForSelector('.dish');
  assert.equal(await lang(), 'de');
  await page.goto(urlOf('pizzeria', '?lang=it'));
  await page.waitForSelector('.dish');
  assert.equal(await lang(), 'it');
  await context.close();
  const stranger = await visit('pizzeria', { locale: 'pt-BR' });
  assert.equal(await stranger.page.getAttribute('html', 'lang'), 'de');
  await stranger.context.close();
});

test('search and allergen filter hide dishes, say how many, and leave no empty section', async () => {
  const { context, page } = await visit('trattoria', phone);
  const shown = () => page.locator('.dish:visible').count();
  const all = await shown();
  await page.fill('#search', 'PUNTÀRELLE');
  assert.equal(await shown(), 1);
  assert.equal(await page.locator('main > section:visible').count(), 1);
  assert.equal(await page.innerText('#found'), `Piatti mostrati: 1 (nascosti: ${all - 1})`);
  await page.fill('#search', 'xyzzy');
  assert.match(await page.innerText('#found'), /^Nessun piatto corrisponde\./);
  await page.fill('#search', '');
  assert.equal(await page.innerText('#found'), '');

  await page.click('#filter');
  await page.locator('#choices label', { hasText: 'Latte' }).click();
  await page.locator('#choices label', { hasText: 'Uova' }).click();
  for (const marks of await page.locator('.dish:visible .marks').allInnerTexts()) {
    const numbers = marks.split(/\D+/).map(Number);
    assert.ok(!numbers.includes(7) && !numbers.includes(3), marks);
  }
  assert.ok((await shown()) > 0 && (await shown()) < all);
  assert.equal(await page.getAttribute('#filter', 'data-count'), '2');
  await page.locator('#choices button').click();
  assert.equal(await shown(), all);
  await context.close();
});

test('a text of the menu stays text, and an address that runs script is no link', async () => {
  const { context, page } = await visit('small');
  assert.equal(await page.title(), 'small');
  assert.ok((await dish(page, attack).first().innerText()).includes(attack));
  assert.equal(await page.locator('main img, main script').count(), 0);
  assert.equal(await page.locator('#review').count(), 0);
  assert.match(await dish(page, 'Caffè freddo').innerText(), /1234,50\s€|1\.234,50\s€/);
  // With one language there is nothing to choose.
  assert.equal(await page.locator('#languages').isVisible(), false);
  await context.close();
});

test('sections keep to the restaurant’s hours, also past midnight', async () => {
  // 23:30 in Rome; the browser is in another time zone.
  const night = { time: '2026-06-01T21:30:00Z', timezoneId: 'America/New_York' };
  const open = await visit('small', night);
  const section = (page: Page) => page.locator('section', { hasText: 'mezzanotte' });
  assert.match(await section(open.page).locator('.hours').innerText(), /22:00.–.02:00$/);
  assert.doesNotMatch((await section(open.page).getAttribute('class')) ?? '', /closed/);
  await open.page.clock.fastForward('03:00:00');
  await open.page.waitForSelector('section.closed');
  assert.match(await section(open.page).locator('.hours').innerText(), /ora non disponibile$/);
  await open.context.close();
  const screen = await visit('small', {
    ...night,
    time: '2026-06-01T10:00:00Z',
    query: '?screen=1',
  });
  assert.equal(await section(screen.page).isVisible(), false);
  await screen.context.close();
});

test('a change shows without a reload, and what a guest has open stays open', async () => {
  const { context, page } = await visit('trattoria', { query: '?lang=en' });
  await page.evaluate('window.same = true');
  const carbonara = dish(page, 'Rigatoni alla carbonara');
  await carbonara.locator('summary').click();
  await page.fill('#search', 'guanciale');
  const id = await carbonara.getAttribute('id');
  await change(
    'trattoria',
    `update dishes set price = 14.5 where tenant_id = $1 and id = ${id?.slice('dish-'.length)}`,
  );
  await page.clock.fastForward('01:30');
  await carbonara.locator('.price', { hasText: '€14.50' }).waitFor();
  assert.equal(await carbonara.locator('.more').isVisible(), true);
  assert.equal(await dish(page, 'Supplì al telefono').isVisible(), false);

  await change('trattoria', "update themes set layout_variant = 'grid' where tenant_id = $1");
  await page.clock.fastForward('01:30');
  await page.waitForSelector('html[data-layout=grid]');
  await change('trattoria', "update themes set layout_variant = 'classic' where tenant_id = $1");
  assert.equal(await page.evaluate('window.same'), true);
  await context.close();
});

test('an outage leaves the menu, also after a reload, and ends by itself', async () => {
  const { context, page } = await visit('pizzeria', { query: '?lang=de' });
  // Only now the page could open without the gateway.
  const isKept = `caches.open('display')
    .then((cache) => cache.keys())
    .then((kept) => kept.length > 10 && navigator.serviceWorker.controller !== null)`;
  while (!(await page.evaluate(isKept))) assert.ok(!page.isClosed());
  const { port } = gateway;
  await gateway.stop();
  await page.clock.fastForward('02:00');
  await page.locator('#outage', { hasText: 'Keine Verbindung: Das ist die Karte von' }).waitFor();
  await page.reload();
  await page.locator('#outage', { hasText: 'Keine Verbindung' }).waitFor();
  assert.ok((await page.locator('.dish:visible').count()) > 20);
  gateway = await startTestGateway(database.url, { PORT: String(port) });
  await page.clock.fastForward('10:00');
  await page.locator('#outage:empty').waitFor({ state: 'attached' });
  await context.close();
});

test('a 429 is obeyed', async () => {
  const { context, page } = await visit('pizzeria');
  let asked = 0;
  await context.route('**/api/v1/menu/*', async (route) => {
    asked += 1;
    await route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, body: '{}' });
  });
  await page.clock.fastForward('01:30');
  await page.locator('#outage:not(:empty)').waitFor();
  assert.equal(asked, 1);
  await page.clock.runFor('09:00');
  assert.equal(asked, 1);
  while (asked < 2) await page.clock.runFor('00:30');
  await context.close();
});

test('what guests look at is told to the restaurant, under ids that make repeats harmless', async () => {
  const { context, page, events, sent } = await visit('trattoria', { query: '?lang=it' });
  const run = () => page.clock.runFor('00:20');
  await dish(page, 'Supplì al telefono').locator('summary').click();
  await page.fill('#search', 'carciofi');
  await page.click('#filter');
  await page.locator('#choices label', { hasText: 'Sedano' }).click();
  await page.locator('#choices label', { hasText: 'Sedano' }).click();
  await page.fill('#search', '');
  await page.locator('#languages button', { hasText: 'FR' }).click();
  await page.waitForSelector('html[lang=fr]');
  await page.evaluate(`document.querySelector('main > section:nth-child(3)').scrollIntoView()`);
  await page.locator('#sections [aria-current=true]', { hasText: 'Premiers plats' }).waitFor();
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
  await sent({ type: 'search', query: 'tiramisù' });
  assert.equal(new Set(events.map(({ visitor_id }) => visitor_id)).size, 1);
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
  await context.close();
});

test('events that could not be taken are sent again with the same ids', async () => {
  const { context, page, events } = await visit('pizzeria');
  const bodies: string[] = [];
  await context.route('**/api/v1/analytics/events', async (route) => {
    bodies.push(route.request().postData() ?? '');
    await route.fulfill({ status: 503, headers: { 'Retry-After': '5' }, body: '{}' });
  });
  while (bodies.length < 2) await page.clock.runFor('00:02');
  assert.equal(bodies[1], bodies[0]);
  assert.deepEqual(events, []);
  await context.close();
});

test('a keyboard reaches everything', async () => {
  const { context, page } = await visit('trattoria');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.id'), 'skip');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'SUMMARY');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('.more').first().isVisible(), true);
  await page.focus('#filter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  assert.equal(await page.isChecked('#choices input >> nth=0'), true);
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('#choices'), false);
  assert.equal(await page.evaluate('document.activeElement.id'), 'filter');
  await context.close();
});

test('a screen on the wall turns its pages, pauses, and tells nothing about guests', async () => {
  const { context, page, events } = await visit('trattoria', {
    query: '?screen=1',
    viewport: { width: 1920, height: 1080 },
  });
  const present = () => page.locator('main > section:not(.off)');
  const title = () => present().locator('h2').first().innerText();
  const first = await title();
  assert.equal(await present().count(), 1);
  const isCut = await present()
    .locator('.flow')
    .first()
    .evaluate((flow) => flow.scrollHeight > flow.clientHeight + 2);
  assert.equal(isCut, false, 'every dish is whole');
  await page.clock.runFor('01:00');
  assert.notEqual(await title(), first);
  await page.keyboard.press('Space');
  const paused = await title();
  await page.clock.runFor('05:00');
  assert.equal(await title(), paused);
  assert.deepEqual(events, []);
  assert.equal(await page.evaluate('document.documentElement.scrollHeight'), 1080);
  await context.close();
});

test('every text can be read and every part has its role, whatever the theme and the layout', async () => {
  const layouts = ['classic', 'grid', 'compact', 'slides'];
  const headers = ['banner', 'centered', 'left', 'minimal'];
  for (const [index, slug] of ['light', 'dark', 'odd', 'odd'].entries()) {
    await change(
      slug,
      `update themes set layout_variant = '${layouts[index]}', header_style = '${headers[index]}'
       where tenant_id = $1`,
    );
    const { context, page } = await visit(slug, index % 2 ? phone : { viewport: desk });
    await page.waitForSelector(`html[data-layout=${layouts[index]}]`);
    await page.click('#filter');
    await page.locator('#choices label').first().click();
    await page.locator('.dish:visible summary').first().click();
    await page.evaluate(axe);
    const violations = await page.evaluate(`axe.run().then((result) =>
      result.violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`);
    assert.deepEqual(violations, [], `${slug} ${layouts[index]}`);
    const root = 'document.documentElement';
    const overflow = await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`);
    assert.equal(overflow, 0, 'nothing sticks out');
    await context.close();
  }
});
