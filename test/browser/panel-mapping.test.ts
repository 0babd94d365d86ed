// The columns of an owner's table on a phone: one screen for eight of them, and cells that are corrected there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { opens } from '../support/browser.ts';
import { checkOnPhone } from '../support/check-on-phone.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { restaurantOf, sectionOf } from '../support/restaurant.ts';

const locales = { it: 'it-IT', de: 'de-DE' } as const;
type Language = keyof typeof locales;

const house = (language: Language) => {
  const restaurant = restaurantOf(`colonne-${language}`, [sectionOf('Bar', [])]);
  Object.assign(restaurant.settings, { supported_locales: ['it', 'en', 'de', 'fr'] });
  return restaurant;
};
const pages = await panelPages([house('it'), house('de')]);

const header = 'Category;Item name;Description;Price;Allergens;Available;SKU;Chef';
const rowsOf = (price: string) => [
  `Mains;Steak and ale pie;With mash and peas;${price};gluten, milk;yes;P1;Ada`,
  'Mains;Fish and chips;Fresh from the harbour;13,95;fish;yes;F1;Bea',
  'Desserts;Apple cake;;6,50;gluten, egg;no;A1;Ada',
];

async function show(page: Page, price: string): Promise<void> {
  const buffer = Buffer.from([header, ...rowsOf(price)].join('\n'));
  await page.locator('#file').setInputFiles({ name: 'menu.csv', mimeType: 'text/csv', buffer });
  await opens(page, () => page.locator('main button[value="show"]').click());
  await page.locator('.columns-read').waitFor();
}

for (const [language, locale] of Object.entries(locales)) {
  const phone = { ...narrowPhone, locale };
  const enter = () => pages.enter(`colonne-${language}`, '/admin/import', phone);
  const take = async (page: Page, name: string, hasNewForm = true) => {
    await checkOnPhone(page, hasNewForm && language === 'it');
    await keepPicture(page, `import-${name}-${language}`);
  };

  test(`the columns of a table with eight of them fit one screen, and languages are asked once: ${language}`, async () => {
    const page = await enter();

    await take(page, 'start');
    await show(page, '14,95');
    // The chosen ones are the same form.
    await take(page, 'columns', false);
    const part = page.locator('.part.table');
    const box = await part.boundingBox();
    assert.ok(box && box.height <= narrowPhone.viewport.height, `${box?.height} px`);
    const options = await part.locator('#f-column-1 > option').allTextContents();
    assert.equal(new Set(options).size, options.length);
    assert.ok(options.length <= 6, `${options.length} entries before the groups`);
    await page.locator('#f-locale').selectOption('en');
    await opens(page, () => part.locator('button[value="show"]').click());
    assert.equal(await page.locator('#f-locale').inputValue(), 'en');
    await take(page, 'chosen');
    await opens(page, () => page.locator('main button[value="apply"]').click());
    await page.getByRole('status').filter({ hasText: '5' }).first().waitFor();
    await page.goto('/?locale=en');
    await page.locator('.dish').filter({ hasText: 'Fish and chips' }).waitFor();
  });

  test(`a cell that is refused is corrected on the page, and the table applied: ${language}`, async () => {
    const page = await enter();

    await show(page, '15,x');
    await take(page, 'refused');
    await page.locator('.correction input[type="text"]').first().fill('15,50');
    await opens(page, () => page.locator('.diff.failed button[value="show"]').click());
    assert.equal(await page.locator('.correction').count(), 0);
    await take(page, 'corrected');
    await opens(page, () => page.locator('main button[value="apply"]').click());
    await page.getByRole('status').first().waitFor();
    await page.goto('/');
    await page.locator('.dish', { hasText: /15[.,]50/ }).waitFor();
  });
}
