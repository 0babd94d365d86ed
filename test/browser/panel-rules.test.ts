// In a form with script, a value that counts only under a choice ticks that choice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { opens } from '../support/browser.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';

const dishes = [dishOf('Marinara', { price: 9, allergens: null as never })];
const pages = await panelPages([restaurantOf('trattoria', [sectionOf('Pizze', dishes)])]);

const stored = async (columns: string) =>
  (await pages.service.sql(`select ${columns} from dishes`))[0];

test('a tap on one allergen ticks "declared", and the form asks about the other thirteen', async () => {
  const page = await pages.enter('trattoria', '/admin/menu/items/1', narrowPhone);
  const declared = page.getByRole('radio', { name: 'Dichiarati qui sotto' });
  const undeclared = page.getByRole('radio', { name: 'Non ancora dichiarati' });
  const contains = page.locator('#f-allergen-uova-contains');
  assert.equal(await undeclared.isChecked(), true);
  assert.equal(await page.locator('.presence input:checked').count(), 0, 'nothing is answered');
  await contains.press(' ');
  assert.equal(await declared.isChecked(), true);
  await undeclared.check();
  assert.equal(await page.locator('.presence input:checked').count(), 0, 'taken back');
  await contains.press(' ');
  await opens(page, () => page.getByRole('button', { name: 'Salva' }).click());
  await page.getByRole('alert').filter({ hasText: 'Manca la risposta per' }).waitFor();
  assert.deepEqual(await stored('allergens_declared, allergens'), {
    ...{ allergens_declared: false, allergens: [] },
  });
  await page.getByRole('checkbox', { name: 'Tutti gli altri: no' }).check();
  await opens(page, () => page.getByRole('button', { name: 'Salva' }).click());
  await page.getByRole('status').filter({ hasText: 'è salvato' }).waitFor();
  assert.deepEqual(await stored('allergens_declared, allergens'), {
    ...{ allergens_declared: true, allergens: ['uova'] },
  });
});

test('a day and time that are typed choose "sold out until", and hours tick their box', async () => {
  const page = await pages.enter('trattoria', '/admin/menu/items/1', narrowPhone);
  await page.getByText('In sala', { exact: true }).click();
  await page.getByLabel('Giorno e ora').fill('2098-03-04T20:15');
  assert.equal(
    await page.getByRole('radio', { name: 'Esaurito fino a', exact: true }).isChecked(),
    true,
  );
  await page.getByRole('radio', { name: 'Disponibile' }).check();
  assert.equal(await page.getByLabel('Giorno e ora').inputValue(), '');
  await page.goto('/admin/menu/sections/1');
  await page.locator('summary', { hasText: 'Quando si vede' }).click();
  await page.getByLabel('Dalle').first().fill('18:00');
  assert.equal(await page.getByRole('checkbox', { name: 'Solo in certi orari' }).isChecked(), true);
});

/** Looks whether the browser asks before it leaves the page, and stays. */
async function checkAsked(page: Page): Promise<void> {
  const asked = page.waitForEvent('dialog');
  const leaving = page.evaluate('void setTimeout(() => location.assign("/admin"))');
  const dialog = await asked;
  assert.equal(dialog.type(), 'beforeunload');
  await dialog.dismiss();
  await leaving;
}

test('a further size appears below the last one, and a form asks before it is left unsaved', async () => {
  const page = await pages.enter('trattoria', '/admin/menu/items/new?section=1', narrowPhone);
  await page.getByText('Formati', { exact: true }).first().click();
  const prices = page.locator('[name^="variants."][name$=".price"]');
  assert.equal(await prices.count(), 3);
  await prices.last().fill('7');
  assert.equal(await prices.count(), 4);
  assert.equal(await prices.last().getAttribute('name'), 'variants.3.price');
  await checkAsked(page);
  assert.equal(await prices.nth(2).inputValue(), '7', 'nothing is lost');
});

test('typed translations are not left without a question', async () => {
  const page = await pages.enter('trattoria', '/admin/translations?to=de', narrowPhone);
  const text = page.locator('form.translations textarea').first();
  await text.click();
  await text.fill('Mit Tomaten');
  await checkAsked(page);
  assert.equal(await text.inputValue(), 'Mit Tomaten');
});
