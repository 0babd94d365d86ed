// Pages of a suspended or moved restaurant, and of wrong links, on a narrow phone: each fits, and has a
// way on. The long walk looks at all languages of the panel.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { renameRestaurant } from '../../db/actions/restaurants.ts';
import { pizzeria, trattoria } from '../../db/operator/demo/restaurant.ts';
import { suspendTenant } from '../../db/sql/restaurants.ts';
import { findTenantId } from '../../db/sql/tenants.ts';
import { PANEL_LANGUAGES } from '../../db/texts/catalogues.ts';
import { opens } from '../support/browser.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { isThorough } from '../support/thorough.ts';
import { untilStatus } from '../support/until.ts';

const REASON =
  'La fattura 2026/1187 di maggio non è stata pagata: telefonate allo 040 123456 (Osterie Riunite).';
/** The restaurants' own, and the one with the longest words. */
const LANGUAGES = isThorough ? PANEL_LANGUAGES : (['it', 'de'] as const);
const pages = await panelPages([trattoria, pizzeria]);
const { service } = pages;

/** Whether something is wider than the screen. */
const width = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');
/** Links and buttons that lead on, by their addresses. */
const ways = (page: Page) =>
  page.evaluate<string[]>(`Array.from(document.querySelectorAll('main a[href]'), (a) => a.href)`);

const id = (await findTenantId(service.db, 'pizzeria')) ?? 0;
await suspendTenant(service.db, id, true, REASON);
const guest = service.gateway.client('pizzeria');
await untilStatus('it is served', 404, () => guest.get('/menu'));

test('a guest of a suspended restaurant reads why, at 360 px, and owners find the panel', async () => {
  for (const language of LANGUAGES) {
    const page = await pages.enter('trattoria', '/admin', { ...narrowPhone, locale: language });
    await page.goto(`http://pizzeria.localhost:${service.gateway.port}/`);
    assert.ok((await page.locator('main').innerText()).includes(REASON), language);
    assert.equal(await page.locator('html').getAttribute('lang'), language);
    assert.equal(await width(page), 360, language);
    assert.ok((await ways(page)).some((way) => way.endsWith('/admin')));
    await page.context().close();
  }
});

test('the panel of a suspended restaurant says so on each page, and exports', async () => {
  for (const language of LANGUAGES) {
    const page = await pages.enter('pizzeria', '/admin', { ...narrowPhone, locale: language });
    for (const path of ['/admin', '/admin/menu', '/admin/people']) {
      if (!page.url().endsWith(path)) await page.goto(path);
      assert.ok((await page.locator('main').innerText()).includes(REASON), `${language} ${path}`);
      assert.equal(await width(page), 360, `${language} ${path}`);
    }
    await page.context().close();
  }
  const page = await pages.enter('pizzeria', '/admin/people', narrowPhone);
  await opens(page, () => page.locator('main form button').last().click());
  await page.getByText('Il ristorante è sospeso').first().waitFor();
  assert.ok((await page.locator('main').innerText()).includes(REASON));
  assert.ok((await ways(page)).length > 0);
});

test('a form that is sent to the former address of a restaurant leads to the new one', async () => {
  const page = await pages.enter('trattoria', '/admin/account', narrowPhone);
  await renameRestaurant(service.db, 'trattoria', 'osteria');
  const former = service.gateway.client('trattoria');
  await untilStatus('it has moved', 308, () => former.send('/'));
  await opens(page, () => page.locator('main form button').first().click());
  await page.getByText('osteria.localhost').first().waitFor();
  assert.equal(await width(page), 360);
  const [way = ''] = await ways(page);
  assert.equal(new URL(way).hostname, 'osteria.localhost');
  await page.goto(way);
  assert.match(new URL(page.url()).pathname, /^\/admin/);
});

const wrong = [`/admin/link/${'x'.repeat(43)}`, '/admin/nothing', '/admin/menu/undo'] as const;

test('wrong links of the panel have a way on in each language', async () => {
  for (const language of LANGUAGES) {
    const page = await pages.enter('pizzeria', wrong[0], { ...narrowPhone, locale: language });
    for (const path of wrong) {
      if (!page.url().endsWith(path)) await page.goto(path);
      assert.equal(await width(page), 360, `${language} ${path}`);
      assert.ok((await ways(page)).length > 0, `${language} ${path}`);
    }
    await page.context().close();
  }
});
