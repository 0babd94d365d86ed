// The Enter key in a field does what the form is for, whichever buttons stand beside the field; and
// buttons are there for those who can use them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { opens, waitForPage } from '../support/browser.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';

const dishes = [dishOf('Gricia', { price: 11 }), dishOf('Amatriciana', { price: 12 })];
const pages = await panelPages([restaurantOf('trattoria', [sectionOf('Primi', dishes)])]);

const prices = async () => {
  const rows = await pages.service.sql('select price from dishes order by id');
  return rows.map(({ price }) => Number(price));
};
const enter = (page: Page, selector: string) =>
  opens(page, () => page.locator(selector).press('Enter'));
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'è salvat' }).waitFor();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script';
  const options = { ...narrowPhone, javaScriptEnabled };
  const page = await pages.enter('trattoria', '/admin/account', options);

  test(`Enter saves the form of a dish, of a section and of the appearance, ${how}`, async () => {
    await page.goto('/admin/menu/items/1');
    const price = javaScriptEnabled ? 13 : 14;
    await page.locator('[name="price"]').fill(String(price));
    await enter(page, '[name="price"]');
    await saved(page);
    assert.equal((await prices())[0], price);
    await page.goto('/admin/menu/sections/1');
    await enter(page, '[name="name.it"]');
    await page.getByRole('status').filter({ hasText: 'niente da cambiare' }).waitFor();
    await page.goto('/admin/restaurant');
    assert.equal(await page.locator('input:focus').count(), 0, 'no keyboard comes up');
    await page.locator('[name="phone"]').fill(`06 ${price}`);
    await enter(page, '[name="phone"]');
    await saved(page);
  });

  test(`Enter in the field for new prices shows them, ${how}`, async () => {
    await page.goto('/admin/menu?section=1');
    const before = await prices();
    await page.locator('[name="chosen"]').first().check();
    await page.locator('#percent').fill('10');
    await enter(page, '#percent');
    await page.locator('table.prices').waitFor();
    assert.deepEqual(await prices(), before);
  });

  test(`what is hidden is not there, ${how}`, async () => {
    await page.goto('/admin/account');
    if (javaScriptEnabled) await waitForPage(page);
    const passwords = page.locator('button[data-passwords]').first();
    assert.equal(await passwords.isVisible(), javaScriptEnabled);
    for (const path of ['/admin/account', '/admin/qr', '/admin/menu/items/1', '/admin/service']) {
      await page.goto(path);
      if (javaScriptEnabled) await waitForPage(page);
      assert.equal(await page.locator('[hidden]:visible').count(), 0, path);
    }
    await page.goto('/admin/menu/items/1');
    if (javaScriptEnabled) await waitForPage(page);
    const upload = page.locator('button[value="upload-photo_id"]');
    assert.equal(await upload.isVisible(), !javaScriptEnabled);
    await page.context().close();
  });
}
