// Many prices changed through a file and taken back, on a phone: with JavaScript and without it.
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { opens } from '../support/browser.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';

const PRICES = { Bruschetta: [6, 7], Gricia: [11, 12.5], Amatriciana: [12, 13.5] } as const;
const slugs = { script: 'file-con-script', plain: 'file-senza-script' };
const menu = () => [
  sectionOf('Piatti', [
    ...Object.entries(PRICES).map(([name, [price]]) => dishOf(name, { price })),
    dishOf('Puntarelle', { price: 8 }),
  ]),
];

const pages = await panelPages([
  restaurantOf(slugs.script, menu()),
  restaurantOf(slugs.plain, menu()),
]);

/** Goes through a page by the Tab key alone until the element has the focus, and presses Enter. */
async function pressByKeyboard(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector);
  const focused = page.locator(`${selector}:focus`);
  await target.waitFor();
  for (let presses = 0; presses < 80 && (await focused.count()) === 0; presses += 1) {
    await page.keyboard.press('Tab');
  }
  assert.equal(await focused.count(), 1, `the Tab key does not reach ${selector}`);
  await page.keyboard.press('Enter');
}

/** Opens the guests' page and waits for the old prices (0) or the new ones (1). */
async function readsPrices(page: Page, which: 0 | 1): Promise<void> {
  await page.goto('/');
  for (const [name, prices] of Object.entries(PRICES)) {
    const shown = page.locator('.dish').filter({ hasText: name });
    await shown.filter({ hasText: prices[which].toFixed(2).replace('.', ',') }).waitFor();
  }
  await page.locator('.dish').filter({ hasText: 'Puntarelle' }).getByText('8,00').waitFor();
}

for (const [kind, slug] of Object.entries(slugs)) {
  const javaScriptEnabled = kind === 'script';
  test(`prices are changed in a file, and the import is taken back, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const page = await pages.enter(slug, '/admin/import', { ...narrowPhone, javaScriptEnabled });

    // Without JavaScript the browser runs no check of ours either.
    const checkPage = () => (javaScriptEnabled ? checkOnPhone(page) : Promise.resolve());
    await checkPage();

    const download = page.waitForEvent('download');
    await pressByKeyboard(page, 'a[href="/admin/import/export"]');
    const stream = await (await download).createReadStream();
    const exported = JSON.parse(await text(stream));
    for (const dish of exported.items) {
      const [, price] = PRICES[dish.name.it as keyof typeof PRICES] ?? [];
      if (price !== undefined) dish.price = price;
    }
    const buffer = Buffer.from(JSON.stringify(exported));
    await page
      .locator('#file')
      .setInputFiles({ name: 'menu.json', mimeType: 'application/json', buffer });
    await opens(page, () => pressByKeyboard(page, 'main button[value="show"]'));
    const prices = await page.locator('main ins').allTextContents();
    assert.deepEqual(new Set(prices), new Set(['7,00', '12,50', '13,50']));
    await checkPage();

    await opens(page, () => pressByKeyboard(page, 'main button[value="apply"]'));
    await page.getByRole('status').filter({ hasText: '3' }).first().waitFor();
    await checkPage();
    const told = page.url();
    await readsPrices(page, 1);

    await page.goto(told);
    const undo = 'form[action="/admin/menu/undo"] button';
    await opens(page, () => pressByKeyboard(page, undo));
    await page.getByRole('status').first().waitFor();
    await checkPage();
    await readsPrices(page, 0);
  });
}
