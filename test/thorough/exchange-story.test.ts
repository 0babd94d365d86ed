// An owner takes the menu to other services and brings theirs, on a phone in Italian and German.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { EXPORT_TARGETS } from '../../db/schema/exchange-report.ts';
import { opens } from '../support/browser.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { restaurantOf } from '../support/restaurant.ts';
import { deliverectPush, squareCells, toastMenus } from '../support/service-exports.ts';
import { workbookOf } from '../support/workbook.ts';

const pages = await panelPages([
  trattoria,
  restaurantOf('aus-square', []),
  restaurantOf('aus-deliverect', []),
  restaurantOf('aus-toast', []),
]);

for (const locale of ['it-IT', 'de-DE']) {
  test(`the page of other services fits a phone for each of them, ${locale}`, async () => {
    const page = await pages.enter('trattoria', '/admin/exchange', { ...narrowPhone, locale });
    await checkOnPhone(page, locale === 'it-IT');
    await keepPicture(page, `exchange-${locale}`);
    for (const target of EXPORT_TARGETS) {
      await page.goto(`/admin/exchange?format=${target}`);
      await page.locator('a[download]').waitFor();
      await checkOnPhone(page, locale === 'it-IT');
      await keepPicture(page, `exchange-${locale}-${target}`);
    }
  });
}

const json = (document: unknown) => Buffer.from(JSON.stringify(document));
const workbook = workbookOf([{ name: 'Items', rows: squareCells }]);

const FILES = [
  ['square', 'library.xlsx', workbook, ''],
  ['deliverect', 'menu.json', json(deliverectPush), 'deliverect'],
  ['toast', 'menus.json', json(toastMenus), 'toast'],
] as const;

/** Chooses a file and its service, and asks to see the difference. */
async function showFile(page: Page, name: string, buffer: Buffer, service: string): Promise<void> {
  await page.goto('/admin/import');
  if (service !== '') await page.locator('select[name="service"]').selectOption(service);
  const mimeType = 'application/octet-stream';
  await page.locator('#file').setInputFiles({ name, mimeType, buffer });
  await opens(page, () => page.locator('main button[value="show"]').first().click());
  // An item library of Square is recognised, and read as one when its owner asks.
  if (service === '') {
    const asSquare = 'form:has(input[name="service"][value="square_csv"]) button';
    await opens(page, () => page.locator(asSquare).first().click());
  }
  await page.locator('main .losses').first().waitFor();
}

for (const [from, name, buffer, service] of FILES) {
  test(`${from}, a file is compared and applied, and a second time changes nothing`, async () => {
    const options = { ...narrowPhone, locale: from === 'toast' ? 'de-DE' : 'it-IT' };
    const page = await pages.enter(`aus-${from}`, '/admin/import', options);
    await showFile(page, name, buffer, service);
    await checkOnPhone(page);
    await keepPicture(page, `import-${from}`);
    await opens(page, () => page.locator('main button[value="apply"]').click());
    await page.getByRole('status').first().waitFor();
    await showFile(page, name, buffer, service);
    assert.equal(await page.locator('main button[value="apply"]').count(), 0);
    await keepPicture(page, `import-${from}-again`);
  });
}
