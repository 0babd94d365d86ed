// The sheets of a menu as the panel shows them are those that a printer gets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { abroad, pizzeria, samples, trattoria } from '../../db/operator/demo/restaurant.ts';
import { LONE_MARKS } from '../support/display-pages.ts';
import { panelPages } from '../support/panel-pages.ts';
import { pagesOf } from '../support/pictures.ts';
import { often } from '../support/thorough.ts';

/** The sizes that a sheet may have, in points, and how many faces of the menu it holds. */
const SHEETS = {
  a4: { width: 595, faces: 1 },
  a5: { width: 420, faces: 1 },
  a6: { width: 298, faces: 1 },
  fold: { width: 842, faces: 2 },
} as const;
const restaurants = [trattoria, pizzeria, ...samples, ...abroad] as const;

const pages = await panelPages(restaurants);

/** Shows the sheets of a restaurant's menu, and resolves when they are laid out. */
async function showSheets(page: Page, slug: string, size: string): Promise<void> {
  const origin = `http://${slug}.localhost:${pages.service.gateway.port}`;
  await page.goto(`${origin}/?paper=show&size=${size}`);
  await page.locator('html[style*="--sheets"]').waitFor({ state: 'attached' });
}

/** The number of faces, and those of the last dish, the legend, the foot and the QR code. */
const FACES = `(() => {
  const root = document.documentElement;
  const lengthOf = (name) =>
    Number.parseFloat(getComputedStyle(root).getPropertyValue(name)) * 96 / 25.4;
  const step = lengthOf('--sheet-width') + lengthOf('--between');
  const body = document.body.getBoundingClientRect();
  const faceOf = (selector) => Math.max(...[...document.querySelectorAll(selector)]
    .map((one) => one.getBoundingClientRect())
    .map(({ left, right }) => root.dir === 'rtl' ? body.right - left : right - body.left)
    .map((far) => Math.ceil((far - 1) / step)));
  return {
    all: Number(root.style.getPropertyValue('--sheets')),
    dish: faceOf('.dish'),
    legend: faceOf('#legend'),
    foot: faceOf('#foot'),
    code: faceOf('#paper'),
    dishes: document.querySelectorAll('.dish').length,
  };
})()`;

/** Laying out takes longest: in `npm test` each menu is laid out on one size, on the long walk on all. */
const some = often(Object.keys(SHEETS).length, 1);

for (const [at, [size, { width, faces }]] of Object.entries(SHEETS).entries()) {
  test(`paper shows its sheets as they are printed, and no legend alone, on ${size}`, async () => {
    const page = await pages.enter('trattoria', '/admin/account');
    const laidOut = restaurants.filter((_, index) => index % some === at % some);
    for (const { slug, items } of laidOut) {
      await showSheets(page, slug, size);
      const found = await page.evaluate<Record<string, number>>(FACES);
      const sheetOf = (face: number | undefined) => Math.ceil(Number(face) / faces);
      const about = `${slug}: ${JSON.stringify(found)}`;
      assert.ok(Number(found.dishes) > 10 && Number(found.dishes) <= items.length, about);
      assert.equal(found.code, 1, about);
      // A6 may have no room for the foot beside them.
      const behind = size === 'a6' ? found.legend : found.foot;
      assert.equal(sheetOf(found.dish), sheetOf(behind), about);
      const printed = await page.pdf({ preferCSSPageSize: true });
      assert.equal(pagesOf(printed), sheetOf(found.all), about);
      const [, points] = /\/MediaBox \[0 0 ([\d.]+)/.exec(printed.toString('latin1')) ?? [];
      assert.equal(Math.round(Number(points)), width, about);
    }
    await page.context().close();
  });
}

test('paper leaves no marks alone on a line, at any width of a name', async () => {
  const page = await pages.enter('trattoria', '/admin/account');
  for (const slug of ['trattoria', 'bayt']) {
    await showSheets(page, slug, 'a4');
    assert.deepEqual(await page.evaluate(LONE_MARKS), [], slug);
  }
  await page.context().close();
});

test('cards with QR codes fill sheets of A4: six, four, or a tent on each', async () => {
  const page = await pages.enter('trattoria', '/admin/qr', { locale: 'it' });
  for (const [form, sheets] of Object.entries({ cards: 2, a6: 3, tent: 12 })) {
    await page.goto(`/admin/qr?form=${form}&also=de&first=1&last=12`);
    assert.equal(await page.locator('.sheet > li').count(), 12);
    assert.equal(pagesOf(await page.pdf({ preferCSSPageSize: true })), sheets, form);
  }
  await page.context().close();
});
