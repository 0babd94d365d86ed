// The guest's page is whole without script, light, still and readable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { abroad, pizzeria, trattoria } from '../../db/operator/demo/restaurant.ts';
import { ALL_LOCALES } from '../../db/schema/values/locale.ts';
import { guestTexts } from '../../db/texts/catalogues.ts';
import { barriersOf } from '../support/barriers.ts';
import { desk, dish, displayPages, phone } from '../support/display-pages.ts';
import { pagesOf } from '../support/pictures.ts';
import { often } from '../support/thorough.ts';
import { until } from '../support/until.ts';

const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"/>`;
/** Of everything that a first visit loads, pictures and fonts of other servers aside, in bytes. */
const MOST_BYTES = 60 * 1024;

const pages = await displayPages([trattoria, pizzeria, ...abroad]);

async function servePictures(context: BrowserContext): Promise<void> {
  await context.unroute(/\.example\//);
  await context.route(/\.example\//, (route) =>
    route.request().resourceType() === 'image'
      ? route.fulfill({ contentType: 'image/svg+xml', body: picture })
      : route.fulfill({ contentType: 'text/css', body: '' }),
  );
}

test('a browser without script shows the whole menu and leads to its other languages', async () => {
  const french = { javaScriptEnabled: false, locale: 'fr-FR' };
  const { context, page } = await pages.open('trattoria', french);
  const all = await page.locator('.dish').count();
  assert.equal(await page.locator('.dish:visible').count(), all);
  const { json } = await pages.client('trattoria').get('/items?per_page=1');
  assert.equal(all, json.meta.total);
  assert.equal(await page.locator('#search').isVisible(), false);
  const carbonara = dish(page, 'Rigatoni alla carbonara');
  assert.match(await carbonara.locator('.price').innerText(), /^13,00\s€$/);
  await carbonara.locator('summary').click();
  assert.match(await carbonara.locator('.more').innerText(), /^Contient : |^Contient: /);
  const shown = await page.innerText('body');
  const { address, phone: number, email, cover_charge_text, allergen_info } = trattoria.settings;
  const inFrench = [cover_charge_text, allergen_info].map((text) => Object(text).fr);
  for (const text of [number, email, ...inFrench]) {
    assert.ok(shown.includes(text), text);
  }
  assert.equal(shown.split(address).length, 2, 'the address stands there once');
  await page.locator('#languages a', { hasText: 'ES' }).click();
  await page.waitForSelector('html[lang=es]');
  assert.equal(await page.locator('h2').first().innerText(), 'Entrantes');
  await context.close();
});

const MENUS = Object.entries({ trattoria: phone, pizzeria: { viewport: desk } });

test('no part of a whole menu breaks a rule of accessibility', async () => {
  // Short menus that have one of everything are looked at in each layout and size by another file.
  for (const [slug, options] of MENUS.slice(0, often(1, 2))) {
    const { context, page } = await pages.open(slug, options);
    assert.deepEqual(await barriersOf(page), [], slug);
    await context.close();
  }
});

test('a visit moves nothing that was shown and logs no error', async () => {
  for (const [slug, options] of MENUS) {
    const plain = { ...options, live: true, serviceWorkers: 'block' } as const;
    const { context, page } = await pages.open(slug, plain);
    await servePictures(context);
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.addInitScript(`
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) {
          shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]);
        }
      }).observe({ type: 'layout-shift', buffered: true });`);
    await page.reload();
    await page.waitForSelector('html[data-begun]');
    await page.mouse.wheel(0, 3_000);
    await until('the page has not scrolled', () => page.evaluate<boolean>('scrollY > 500'));
    assert.deepEqual(await page.evaluate('shifts'), [], slug);
    assert.deepEqual(errors, []);
    await context.close();
  }
});

test('a first visit loads less than 60 KB, copies for outages included', async () => {
  for (const slug of ['trattoria', 'pizzeria']) {
    const { context, page } = await pages.open(slug, { ...phone, live: true });
    const isKept = `caches.match('/').then((page) => page !== undefined)`;
    await until('the page is not kept', () => page.evaluate<boolean>(isKept));
    await page.evaluate(`Promise.all([caches.delete('display'), navigator.serviceWorker
      .getRegistration().then((registration) => registration.unregister())])`);
    // Where requests are looked into, the browser has no cache.
    await context.unrouteAll();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.clearBrowserCache');
    const ours = new Set<string>();
    let bytes = 0;
    devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (request.url.includes(`${slug}.localhost`)) ours.add(requestId);
    });
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (ours.has(requestId)) bytes += encodedDataLength;
    });
    await page.reload();
    await until('the page is not kept', () => page.evaluate<boolean>(isKept));
    assert.ok(bytes > 20_000 && bytes < MOST_BYTES, `${slug}: ${bytes} bytes`);
    await context.close();
  }
});

/** The first dish below the bar, and where it stands. */
const reading = `(() => {
  const bar = document.getElementById('bar').getBoundingClientRect().bottom;
  const first = [...document.querySelectorAll('.dish')]
    .find((dish) => dish.getBoundingClientRect().top > bar);
  return [first.id, Math.round(first.getBoundingClientRect().top)];
})()`;

test('a change above what a guest reads moves it by no pixel', async () => {
  const { context, page } = await pages.open('trattoria', phone);
  await page.evaluate(`document.documentElement.style.scrollBehavior = 'auto';
    document.querySelector('main > section:nth-child(4)').scrollIntoView()`);
  const before = await page.evaluate(reading);
  await page.evaluate('window.kept = document.querySelector("main > section:nth-child(4)")');
  const id = await page.locator('.dish').first().getAttribute('id');
  await pages.change(
    'trattoria',
    `update dishes set description = jsonb_build_object('it', repeat('Lungo ', 90))
     where tenant_id = $1 and id = ${id?.slice('dish-'.length)}`,
  );
  await page.clock.fastForward('00:15');
  await page.locator('.description', { hasText: /^Lungo / }).waitFor({ state: 'attached' });
  assert.deepEqual(await page.evaluate(reading), before);
  const same = 'window.kept === document.querySelector("main > section:nth-child(4)")';
  assert.equal(await page.evaluate(same), true, 'what did not change was not replaced');
  await context.close();
});

const narrow = await pages.open('trattoria', { viewport: { width: 360, height: 740 } });

test('search finds sections, wineries and types, and stays in reach while the menu scrolls', async () => {
  const { page } = narrow;
  const shown = page.locator('.dish:visible');
  await page.mouse.wheel(0, 4_000);
  await until('the page has not scrolled', () => page.evaluate<boolean>('scrollY > 2000'));
  for (const part of ['#search', '#filter', '#sections a[aria-current=true]']) {
    const box = await page.locator(part).boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height < 130, `${part}: ${JSON.stringify(box)}`);
  }
  const found = { dolci: 'Dolci', 'colle sant’anna': 'Vini', bollicine: 'Vini' };
  for (const [words, section] of Object.entries(found)) {
    await page.fill('#search', words);
    assert.ok((await shown.count()) > 0, words);
    const titles = await page.locator('h2:visible').allInnerTexts();
    assert.ok(titles.includes(section), `${words}: ${titles}`);
  }
  await page.fill('#search', '');
  const broken = `[...document.querySelectorAll('.marks')]
    .filter((marks) => marks.offsetHeight > 1.6 * Number.parseFloat(getComputedStyle(marks).fontSize))
    .map((marks) => marks.textContent)`;
  assert.deepEqual(await page.evaluate(broken), [], 'the numbers of a dish stay together');
});

test('the words in the search field are whole on a narrow phone, in every language', async () => {
  const { context, page } = narrow;
  const words = [...new Set(ALL_LOCALES.map((locale) => guestTexts(locale).page.search))];
  assert.ok(words.length > 20);
  const cut = await page.evaluate(`((all) => {
    const field = document.querySelector('#search');
    const style = getComputedStyle(field);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = style.font;
    const size = field.clientWidth - 2 * Number.parseFloat(style.paddingLeft);
    return all.filter((text) => pen.measureText(text).width > size);
  })(${JSON.stringify(words)})`);
  assert.deepEqual(cut, []);
  await context.close();
});

/** Of each menu a page, which the tests of desks and paper share. */
const desks = { trattoria: await pages.open('trattoria'), pizzeria: await pages.open('pizzeria') };

test('a desk and a 4K window use their width', async () => {
  for (const [slug, width, columns] of [
    ['trattoria', 1440, 2],
    ['trattoria', 3840, 3],
    ['pizzeria', 3840, 4],
  ] as const) {
    const { page } = desks[slug];
    await page.setViewportSize({ width, height: width / 2 });
    const { used, most } = await page.evaluate<{ used: number; most: number }>(`(() => {
      const boxes = [...document.querySelectorAll('.dish')].map((dish) => dish.getBoundingClientRect());
      const rows = Map.groupBy(boxes, ({ top }) => Math.round(top));
      const right = Math.max(...boxes.map(({ right }) => right));
      const left = Math.min(...boxes.map(({ left }) => left));
      const most = Math.max(...[...rows.values()].map(({ length }) => length));
      return { used: (right - left) / innerWidth, most };
    })()`);
    assert.ok(used > 0.7, `${slug} at ${width}: ${used}`);
    assert.ok(most >= columns, `${slug} at ${width}: ${most} columns`);
  }
});

async function checkPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  const colors = await page.evaluate<string[]>(`[...new Set(
    [...document.querySelectorAll('body, h1, h2, h3, .name, .price, .description, #foot p')]
      .flatMap((part) => [getComputedStyle(part).color, getComputedStyle(part).backgroundColor]))]`);
  for (const color of colors) {
    const [red = 0, green = 0, blue = 0, alpha = 1] = color.match(/[\d.]+/g)?.map(Number) ?? [];
    const isGrey = red === green && green === blue;
    assert.ok(alpha === 0 || (isGrey && (red > 250 || red < 60)), color);
  }
  for (const hidden of ['#bar', '#languages', '#updated', '.more', '.screen-link', '#skip']) {
    assert.equal(await page.locator(`${hidden} >> visible=true`).count(), 0, hidden);
  }
  assert.equal(await page.locator('#legend li:visible').count(), 14);
  await page.locator('#paper svg').waitFor();
  await page.emulateMedia({ media: null });
}

test('on paper the menu is black on white on few sheets, with legend and QR code', async () => {
  for (const [slug, a4] of [
    ['trattoria', 5],
    ['pizzeria', 2],
  ] as const) {
    const { context, page } = desks[slug];
    await page.setViewportSize(desk);
    await checkPaper(page);
    const sheets = pagesOf(await page.pdf({ format: 'A4' }));
    assert.ok(sheets >= 1 && sheets <= a4, `${slug}: ${sheets} sheets of A4`);
    const small = pagesOf(await page.pdf({ format: 'A5' }));
    assert.ok(small >= sheets && small <= 2 * a4, `${slug}: ${small} sheets of A5`);
    await context.close();
  }
});

test('letters that have no italics stand upright', async () => {
  for (const [slug, locale, style] of [
    ['yamabuki', 'ja', 'normal'],
    ['bayt', 'ar', 'normal'],
    ['avli', 'el', 'italic'],
  ] as const) {
    const { context, page } = await pages.open(slug, { locale });
    const found = await page.evaluate(
      `getComputedStyle(document.querySelector('#foot .words')).fontStyle`,
    );
    assert.equal(found, style, slug);
    await context.close();
  }
});
