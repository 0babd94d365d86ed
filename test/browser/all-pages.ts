// Opens each kind of page once on a phone, and walls at their size: those of guests with what opens in
// them, and all of the panel from its own table. It names every barrier that axe finds.
// SCREENSHOTS=folder keeps pictures; LOCALE is German by default, which has the longest words.
// node --import tsx test/run.ts test/browser/all-pages.ts
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { perform } from '../../db/actions/action.ts';
import { invite } from '../../db/actions/users.ts';
import { abroad, pizzeria, samples, trattoria } from '../../db/operator/demo/restaurant.ts';
import { suspendTenant } from '../../db/sql/restaurants.ts';
import { findTenantId } from '../../db/sql/tenants.ts';
import { barriersOf } from '../support/barriers.ts';
import { waitForPage } from '../support/browser.ts';
import { dish } from '../support/display-pages.ts';
import { operatorContext } from '../support/operator-context.ts';
import { addUser } from '../support/panel.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { isFramed, OPEN_PATHS, PANEL_PATHS, plantPages } from '../support/panel-paths.ts';
import { plant } from '../support/restaurant.ts';
import { untilStatus } from '../support/until.ts';

const { SCREENSHOTS: folder, LOCALE: locale = 'de' } = process.env;
const WALL = { viewport: { width: 1920, height: 1080 } };
/** At lunch, when restaurants that state their hours are open. */
const NOON = '2026-06-03T10:30:00Z';
/** The height of a picture, in px: a long menu repeats itself. */
const MOST_HEIGHT = 3_000;

const pages = await panelPages([trattoria], {
  constants: { maxPanelCost: Number.MAX_SAFE_INTEGER },
});
const { service } = pages;
await plantPages(service);
for (const one of [...samples, ...abroad, pizzeria]) await plant(service.db, one);

const idOf = async (slug: string) => {
  const id = await findTenantId(service.db, slug);
  assert.ok(id, slug);
  return id;
};
await addUser(service.db, await idOf('1'));
await suspendTenant(service.db, await idOf(pizzeria.slug), true, 'Bitte rufen Sie uns an.');
const guest = service.gateway.client(pizzeria.slug);
await untilStatus('it is served', 404, () => guest.get('/menu'));
if (folder) await mkdir(folder, { recursive: true });

const found: string[] = [];
let count = 0;

/** Looks for barriers on the shown page, and keeps a picture of it. */
async function look(page: Page, name: string): Promise<void> {
  count += 1;
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const most = Math.min(MOST_HEIGHT, await page.evaluate<number>('document.body.scrollHeight'));
  const clip = { x: 0, y: 0, width, height: Math.max(height, most) };
  const path = folder && join(folder, `${locale}-${name}.png`);
  if (path) await page.screenshot({ path, fullPage: true, clip, animations: 'disabled' });
  for (const barrier of await barriersOf(page)) found.push(`${name}: ${barrier}`);
}

const pathName = (path: string) => path.replace(/^\/admin/, 'panel').replace(/\W+/g, '-');

type Act = (page: Page) => Promise<unknown>;
/** A page of guests: its restaurant, its path, and what opens in it. */
type View = readonly [name: string, slug: string, path: string, act?: Act];

const openDish =
  (name: string): Act =>
  (page) =>
    dish(page, name).locator('summary').first().click();
const addToList: Act = async (page) => {
  await openDish('Cappuccino')(page);
  const cappuccino = dish(page, 'Cappuccino');
  await cappuccino.locator('.to-list [type=checkbox]').first().check();
  await cappuccino.locator('.to-list .keep').click();
  await page.locator('#list-open').click();
  await page.locator('.list-line').waitFor();
};
const showsSheets: Act = (page) => page.locator('html[data-sheet]').waitFor({ state: 'attached' });

const GUESTS: readonly View[] = [
  ['menu', 'trattoria', '/'],
  ['dish', 'trattoria', '/', openDish('arbonara')],
  ['set-menu', 'fornello', '/', openDish('mezzogiorno')],
  ['choices', 'tazzina', '/', openDish('Cappuccino')],
  ['filter', 'trattoria', '/', (page) => page.locator('#filter').click()],
  ['nothing', 'trattoria', '/', (page) => page.locator('#search').fill('zzz')],
  ['list', 'tazzina', '/', addToList],
  [
    'waiter',
    'tazzina',
    '/',
    async (page) => {
      await addToList(page);
      await page.locator('.list-waiter').click();
      await page.locator('.for-waiter').waitFor();
    },
  ],
  ...abroad.map(({ slug }): View => [slug, slug, '/']),
  ...['a4', 'fold', 'a5', 'a6', 'letter'].map(
    (size): View => [`paper-${size}`, 'fornello', `/?paper=show&size=${size}`, showsSheets],
  ),
  ['paper-arabic', 'bayt', '/?paper=show&size=a4', showsSheets],
  ['pairing', 'trattoria', '/screen'],
  ['missing', 'trattoria', '/nowhere'],
  ['reference', 'trattoria', '/docs'],
  ['suspended', pizzeria.slug, '/'],
  ['unknown-host', 'nowhere', '/'],
];
const WALLS: readonly View[] = [
  ['wall', 'trattoria', '/?screen=1'],
  ['wall-large', 'trattoria', '/?screen=1&text=large'],
  ['wall-choices', 'tazzina', '/?screen=1'],
  ['wall-arabic', 'bayt', '/?screen=1'],
];

async function walk(options: BrowserContextOptions, views: readonly View[]): Promise<void> {
  for (const [name, slug, path, act] of views) {
    const context = await pages.browser.newContext({ locale, serviceWorkers: 'block', ...options });
    // The demo restaurants' pictures and fonts are on servers that do not exist.
    await context.route(/\.example\//, (route) => route.abort());
    const page = await context.newPage();
    if (options === WALL) await page.clock.install({ time: NOON });
    await page.goto(`http://${slug}.localhost:${service.gateway.port}${path}`);
    await waitForPage(page);
    await act?.(page);
    await look(page, name);
    await context.close();
  }
}

test('no page of guests has a barrier', async (t) => {
  await walk(narrowPhone, GUESTS);
  await walk(WALL, WALLS);
  t.diagnostic(`${count} pages`);
  assert.deepEqual(found.splice(0), []);
});

test('no page of the panel has a barrier', async (t) => {
  const before = count;
  const page = await pages.enter('trattoria', '/admin', { ...narrowPhone, locale });
  const paths = PANEL_PATHS.filter((path) => !isFramed(path));
  for (const path of paths) {
    await page.goto(path);
    await look(page, pathName(path));
  }
  const branch = await pages.enter('1', '/admin/chain', { ...narrowPhone, locale });
  await look(branch, 'panel-chain-of-branch');
  await branch.goto('/admin');
  await look(branch, 'panel-first-hour');
  t.diagnostic(`${count - before} pages`);
  assert.deepEqual(found.splice(0), []);
});

test('no page before the sign-in has a barrier', async (t) => {
  const before = count;
  const at = operatorContext(service.db, service.tenantId, trattoria.slug);
  const person = { name: 'Ugo', email: 'ugo@trattoria.example', role: 'service' } as const;
  const { secret } = (await perform(invite, at, person)).result;
  const page = await pages.visit('trattoria', '/admin/sign-in', { ...narrowPhone, locale });
  const links = OPEN_PATHS.filter((path) => path.endsWith('/1'));
  for (const path of [...OPEN_PATHS, ...links.map((one) => one.replace(/1$/, secret))]) {
    await page.goto(path);
    await look(page, pathName(path.replace(secret, 'right')));
  }
  t.diagnostic(`${count - before} pages`);
  assert.deepEqual(found.splice(0), []);
});
