// On paper and on walls no dish can be opened: its marks tell the four declarations of allergens apart.
// With SCREENSHOTS=<folder> the test also leaves pictures there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { desk, displayPages, phone } from '../support/display-pages.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { dishOf, restaurantOf, sectionOf, wineryOf } from '../support/restaurant.ts';

const dishes = [
  dishOf('Contiene', { allergens: ['cereali_glutine', 'latte'] }),
  dishOf('Tracce', { allergens: [], traces: ['arachidi'] } as object),
  dishOf('Tutti e due', {
    allergens: ['uova'],
    traces: ['soia'],
    additives: ['colouring'],
  } as object),
  dishOf('Nessuno', { allergens: [] }),
  dishOf('Non detto', { allergens: null as never }),
  dishOf('Terrano', { allergens: ['solfiti'], winery: 'Cascina', grapes: 'Refosco' } as object),
];
const restaurant = {
  ...restaurantOf('trattoria', [sectionOf('Primi', dishes)]),
  wineries: [wineryOf('Cascina')],
};

const pages = await displayPages([restaurant]);

const DOT = /\u2009\u2060?·\u2009/g;
/** The visible marks of each dish. */
async function marksOf(page: Page): Promise<Record<string, string>> {
  const shown: Record<string, string> = {};
  for (const dish of await page.locator('.dish').all()) {
    const name = await dish.locator('.own').first().innerText();
    const marks = dish.locator('.marks');
    const isShown = (await marks.count()) > 0 && (await marks.isVisible());
    shown[name] = isShown ? (await marks.innerText()).replaceAll(DOT, '·').trim() : '';
  }
  return shown;
}

const ALL = {
  Contiene: '1·7',
  Tracce: '(5)',
  'Tutti e due': '3·a·(6)',
  Nessuno: '0',
  'Non detto': '?',
  Terrano: '12',
};

test('paper tells what a dish contains, may contain, contains none of, and does not say', async () => {
  const { page } = await pages.open('trattoria', { viewport: { width: 793, height: 1122 } });
  await page.emulateMedia({ media: 'print' });
  assert.deepEqual(await marksOf(page), ALL);
  const legend = await page.locator('#legend .signs').innerText();
  for (const sign of ['1 Contiene', '(1) Può contenere', '0 Nessuno dei 14', '? Allergeni non'])
    assert.ok(legend.includes(sign), legend);
  const padding = `getComputedStyle(document.querySelector('.winery')).paddingRight`;
  assert.equal(await page.evaluate(padding), '0px', 'no hole behind a winery');
  await keepPicture(page, 'paper');
});

test('a wall tells them apart, with a legend', async () => {
  const { page } = await pages.open('trattoria', { viewport: desk, query: '?screen=1' });
  await page.locator('#legend .signs').waitFor();
  assert.deepEqual(await marksOf(page), ALL);
  await keepPicture(page, 'wall');
});

test('a phone shows what a dish contains; the rest is in the opened dish', async () => {
  const { page } = await pages.open('trattoria', phone);
  const shown = await marksOf(page);
  assert.deepEqual([shown.Contiene, shown['Tutti e due']], ['1·7', '3·a']);
  assert.deepEqual([shown.Tracce, shown.Nessuno, shown['Non detto']], ['', '', '']);
  assert.equal(await page.locator('.signs').isVisible(), false);
  await keepPicture(page, 'phone');
});
