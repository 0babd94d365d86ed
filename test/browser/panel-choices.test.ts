// Groups of options, set menus and offers in the panel's forms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { opens } from '../support/browser.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';

const dishes = [dishOf('Insalata', { price: 9 }), dishOf('Gricia', { allergens: ['latte'] })];
const restaurant = restaurantOf('trattoria', [sectionOf('Piatti', dishes)]);
const pages = await panelPages([restaurant]);

const fits = async (page: Page) => {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= (page.viewportSize()?.width ?? 0), String(width));
};
const stored = async (query: string) => (await pages.service.sql(query))[0];
const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const save = async (page: Page, says: string) => {
  await opens(page, () => page.locator('.save .main').click());
  await page.getByRole('status').filter({ hasText: says }).waitFor();
};
const unfold = (page: Page, title: string) => page.locator('summary', { hasText: title }).click();

test('a group is made on a phone without script, and chosen in the form of a dish', async () => {
  const path = '/admin/menu/modifier-groups/new';
  const page = await pages.enter('trattoria', path, { ...narrowPhone, javaScriptEnabled: false });
  await field(page, 'name.it').fill('Condimento');
  await field(page, 'min').fill('1');
  await field(page, 'max').fill('1');
  await field(page, 'options.0.label.it').fill('Olio e limone');
  for (const at of [0, 1]) await page.locator('.stated summary').nth(at).click();
  await page.locator('[name="options.0.allergens.declared"]').check();
  await field(page, 'options.1.label.it').fill('Salsa allo yogurt');
  await field(page, 'options.1.price').fill('0,50');
  await page.locator('[name="options.1.allergens"][value="latte"]').check();
  await keepPicture(page, 'group-360');
  await save(page, 'Condimento');
  const group = await stored('select min, max, options from modifier_groups');
  const options = group?.options as Record<string, unknown>[];
  assert.deepEqual(
    options.map(({ price, allergens }) => [price, allergens]),
    [
      [0, []],
      [0.5, ['latte']],
    ],
  );
  await page.goto('/admin/menu/items/1');
  await unfold(page, 'Scelte e aggiunte');
  await field(page, 'modifier_group_ids.0').selectOption({ label: 'Condimento' });
  await keepPicture(page, 'dish-360');
  await save(page, 'Insalata');
  const { modifier_group_ids: ids } = (await stored(
    'select modifier_group_ids from dishes where id = 1',
  )) as { modifier_group_ids: number[] };
  assert.deepEqual(ids, [1]);
  await page.goto('/admin/menu/modifier-groups');
  assert.match(await page.locator('.sections.named').innerText(), /Condimento\s*1/);
});

test('a set menu takes dishes by their names and texts, and grows as it is filled in', async () => {
  const page = await pages.enter('trattoria', '/admin/menu/items/new?section=1');
  await field(page, 'name.it').fill('Menù del giorno');
  await field(page, 'price').fill('15');
  await unfold(page, 'Menù fisso');
  await field(page, 'courses.0.label.it').fill('Primo');
  const values = page.locator('#dish-names option');
  const names = await values.evaluateAll((all) => all.map((one) => one.getAttribute('value')));
  assert.deepEqual(names, ['Gricia', 'Insalata']);
  await field(page, 'courses.0.options.0.item_id').fill('Gricia');
  await field(page, 'courses.0.options.1.label.it').fill('Zuppa del giorno');
  await field(page, 'courses.0.options.1.surcharge').fill('2');
  await field(page, 'courses.1.label.it').fill('Secondo');
  await field(page, 'courses.1.options.0.item_id').fill('Insalata');
  assert.equal(await field(page, 'courses.2.label.it').count(), 1, 'a free course');
  await unfold(page, 'Prezzi a orario');
  await field(page, 'offers.0.label.it').fill('Presto');
  await field(page, 'offers.0.price').fill('12,50');
  await field(page, 'offers.0.time_start').fill('12:00');
  await field(page, 'offers.0.time_end').fill('13:00');
  await fits(page);
  await keepPicture(page, 'set-menu-1280');
  await save(page, 'Menù del giorno');
  const { courses, offers } = (await stored(
    'select courses, offers from dishes order by id desc limit 1',
  )) as { courses: { choose: number; options: unknown[] }[]; offers: { price: number }[] };
  assert.deepEqual(courses[0]?.options, [
    { item_id: 2, surcharge: 0, label_translations: {} },
    { item_id: null, surcharge: 2, label_translations: { it: 'Zuppa del giorno' } },
  ]);
  assert.equal(courses[1]?.choose, 1);
  assert.equal(offers[0]?.price, 12.5);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/admin/menu/items/3');
  await fits(page);
  assert.equal(await field(page, 'courses.0.options.0.item_id').inputValue(), 'Gricia');
  await keepPicture(page, 'set-menu-360');
  await field(page, 'courses.0.options.0.item_id').fill('Carbonara');
  await page.locator('.save .main').click();
  await page.locator('#f-courses-0-options-0-item_id-error').waitFor();
});
