// Screens with a place: they follow the panel, share a menu, go on where they were, and rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findScreen, showScreenName } from '../../db/sql/screens.ts';
import { displayPages, untilLaidOut } from '../support/display-pages.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { placedScreen } from '../support/placed-screen.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';

const HD = { width: 1920, height: 1080 };
/** The height of a digit as a share of the size of its type, in fonts for reading. */
const DIGIT = 0.7;
/** A screen of 43 inches, 16:9, in metres, and how far from it guests stand. */
const SHORT_SIDE = (43 * 0.0254 * 9) / Math.hypot(16, 9);
const DISTANCE = 3;
/** Digits smaller than this cannot be read at ease (ISO 9241-303: 16 to 22 are, 10 are the least). */
const LEAST_ARC = 16;

const list = (name: string, count: number) =>
  sectionOf(
    name,
    Array.from({ length: count }, (_, n) =>
      dishOf(`${name} ${n + 1}`, { description: { it: 'Pecorino romano e pepe' }, price: 9.5 + n }),
    ),
  );

const menus = [
  restaurantOf('uno', [list('Oggi', 1)]),
  restaurantOf('otto', [list('Primi', 4), list('Secondi', 4)], { supported_locales: ['it', 'de'] }),
  restaurantOf('molti', [list('Primi', 60), list('Secondi', 137), list('Dolci', 3)]),
];
const slugs = ['uno', 'otto', 'molti'] as const;

const pages = await displayPages(menus);

const names = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.dish:not(.off) .name .own')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => one.innerText)`);
/** Lets the page turn no more pages on its own: a slow machine would miss one, or see one twice. */
const holdPages = (page: Page) => page.clock.pauseAt(Date.now() + 60_000);
const goAll = async (page: Page): Promise<string[]> => {
  const found = new Set<string>();
  for (let step = 0; step < 60; step += 1) {
    const before = found.size;
    for (const name of await names(page)) found.add(name);
    if (found.size === before) return [...found];
    await page.keyboard.press('ArrowRight');
  }
  return [...found];
};

const wall = { query: '?screen=1', viewport: HD, until: '.dish:visible' };
/** Laying out 200 dishes takes a second of a core, so tests share the page. */
const molti = await pages.open('molti', wall);
const pageOf = (slug: (typeof slugs)[number]) =>
  slug === 'molti' ? molti : pages.open(slug, wall);

test('a screen’s first page moves nothing that it has shown', async () => {
  const { page } = molti;
  await page.clock.runFor('01:00');
  const shift = await page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) sum += one.value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  })`);
  assert.ok(shift < 0.02, `layout shift ${shift}`);
});

test('a reload goes on where the screen was', async () => {
  const { page } = molti;
  await holdPages(page);
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
  const fourth = await names(page);
  await page.reload();
  await untilLaidOut(page);
  assert.deepEqual(await names(page), fourth);
});

test('a page fills the height with type between the least and the largest, at 1080p, 4K and upright', async (t) => {
  for (const slug of slugs) {
    const { context, page, show } = await pageOf(slug);
    for (const [width, height] of [
      [1920, 1080],
      [3840, 2160],
      [1080, 1920],
    ] as const) {
      if (page.viewportSize()?.width !== width) {
        await page.setViewportSize({ width, height });
        await show('?screen=1');
      }
      const short = Math.min(width, height);
      const about = `${slug} ${width} × ${height}`;
      const sizes = await page.evaluate<number[]>(`[...document.querySelectorAll('.dish .price')]
        .filter((one) => one.offsetParent !== null)
        .map((one) => Number.parseFloat(getComputedStyle(one).fontSize))`);
      const least = Math.min(...sizes);
      assert.ok(least >= (48 * short) / 1_080 - 0.5, `${about}: ${least}`);
      assert.ok(least <= (116 * short) / 1_080, `${about}: ${least}`);
      const metres = (DIGIT * least * SHORT_SIDE) / short;
      const arc = (Math.atan(metres / DISTANCE) * 180 * 60) / Math.PI;
      t.diagnostic(
        `${about}: prices of ${least.toFixed(1)} px, digits of ${arc.toFixed(1)} minutes of arc`,
      );
      assert.ok(arc >= LEAST_ARC, `${about}: ${arc} minutes of arc`);
      const isInside = `[...document.querySelectorAll('.dish')].filter((one) => one.offsetParent)
        .every((one) => { const box = one.getBoundingClientRect();
          return box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; })`;
      assert.equal(await page.evaluate(isInside), true, about);
      await keepPicture(page, `wall-${slug}-${width}`, false);
    }
    if (slug !== 'molti') await context.close();
  }
});

test('all dishes come, each once in a round, and two screens side by side share them', async () => {
  const { context, page, show } = molti;
  await page.setViewportSize(HD);
  // It begins with its first page.
  await page.addInitScript('localStorage.clear()');
  const rounds: string[][] = [];
  for (const part of ['', '&part=1/2', '&part=2/2']) {
    await show(`?screen=1${part}`);
    rounds.push(await goAll(page));
  }
  const [all = [], ...halves] = rounds;
  assert.equal(all.length, 200);
  assert.deepEqual(halves.flat(), all);
  assert.ok(halves.every((half) => half.length > 80));
  await context.close();
});

test('a change in the panel is on the screen at once, and its name when it is asked for', async () => {
  const { page, set, tenantId, id } = await placedScreen(pages, 'otto');
  assert.equal((await names(page)).length, 8);
  const primi = await page.locator('main > section').first().getAttribute('id');
  await set({ section_ids: [Number(primi?.slice('section-'.length))] });
  await until('the sections stay', async () =>
    (await names(page)).join().startsWith('Primi 1,Primi 2,Primi 3,Primi 4'),
  );
  await until('the others stay', async () => (await names(page)).length === 4);
  await set({ section_ids: [], columns: 1 });
  await page.waitForSelector('html.one-column', { state: 'attached' });
  await set({ orientation: 'portrait' });
  await page.waitForSelector('html.turned.tall', { state: 'attached' });
  const box = await page.locator('#masthead').boundingBox();
  assert.ok(box && box.height > box.width, 'the page is turned');
  await showScreenName(pages.db, tenantId, id);
  await page.waitForSelector('#screen-name:visible');
  assert.equal(await page.innerText('#screen-name'), 'Sala');
  await pages.change(
    'otto',
    "update dishes set sold_out_until = 'infinity' where tenant_id = $1 and name ->> 'it' = 'Primi 2'",
  );
  await page.waitForSelector('.sold-out', { state: 'attached' });
  assert.ok((await names(page)).includes('Primi 2'));
  await set({ hide_sold_out: true, orientation: 'auto' });
  await until('it is there', async () => !(await names(page)).includes('Primi 2'));
});

test('a screen takes its languages in turn', async () => {
  const { page, set } = await placedScreen(pages, 'otto');
  await set({ languages: ['it', 'de'], page_seconds: 5 });
  await until('the settings do not come', () =>
    page.evaluate<boolean>(`(localStorage.settings ?? '').includes('"page_seconds":5')`),
  );
  for (const lang of ['de', 'it']) {
    await until(`no turn to ${lang}`, async () => {
      await page.clock.runFor('00:06');
      return (await page.getAttribute('html', 'lang')) === lang;
    });
  }
});

test('a screen keeps its contacts: when it was seen, the version, and its size', async () => {
  const { page, id, tenantId } = await placedScreen(pages, 'otto');
  const contact = async () => (await findScreen(pages.db, tenantId, id)) ?? assert.fail();
  await until('no contact', async () => (await contact()).width === 1920);
  const { version, height, state } = await contact();
  assert.equal(height, 1080);
  assert.equal(state, 'here');
  assert.equal(String(version), await page.getAttribute('html', 'data-version'));
});

test('while the house is closed a screen says when it opens, dimmed', async () => {
  await pages.change(
    'uno',
    `update settings set opening_hours = '[{"weekdays": null, "time_start": "12:00", "time_end": "15:00"}]'
     where tenant_id = $1`,
  );
  const early = { ...wall, time: '2026-06-01T08:00:00Z', until: '.nothing:visible' };
  const { page } = await pages.open('uno', early);
  assert.equal(await page.innerText('.nothing'), 'Chiuso, riapre alle 12:00');
  assert.equal(await page.evaluate('getComputedStyle(document.body).opacity'), '0.5');
  const before = await page.locator('.nothing').boundingBox();
  await page.clock.runFor('01:10');
  assert.notDeepEqual(await page.locator('.nothing').boundingBox(), before);
  await page.clock.fastForward('02:10:00');
  await page.waitForSelector('.dish:visible');
  assert.equal(await page.evaluate('getComputedStyle(document.body).opacity'), '1');
});

test('a screen without a connection says nothing for an hour, and then how old its menu is', async () => {
  const { context, page } = await pages.open('otto', wall);
  await context.setOffline(true);
  await page.clock.fastForward('30:00');
  assert.equal(await page.innerText('#outage'), '');
  assert.ok((await names(page)).length > 0);
  await page.clock.fastForward('40:00');
  await page.locator('#outage', { hasText: 'Nessuna connessione' }).waitFor();
});
