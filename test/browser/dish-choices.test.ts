import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { abroad, samples } from '../../db/operator/demo/restaurant.ts';
import { desk, displayPages } from '../support/display-pages.ts';
import { keepPicture } from '../support/keep-picture.ts';
import { spokenTree } from '../support/spoken-tree.ts';

/** A Wednesday at 19:00 in the restaurants. */
const HAPPY_HOUR = '2026-11-25T18:00:00Z';
const narrow = { viewport: { width: 360, height: 780 }, time: HAPPY_HOUR };

const pages = await displayPages([...samples, ...abroad]);

const dish = (page: Page, name: string) =>
  page.locator('.dish', { has: page.locator('.name', { hasText: name }) });
const isVisible = (page: Page, name: string) => dish(page, name).isVisible();
const fits = async (page: Page, slug: string, { width }: { width: number }, isWall = false) => {
  const name = isWall ? 'wall' : String(width);
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(wide <= width, `${name}: ${wide}`);
  await keepPicture(page, `${slug}-${name}`, !isWall);
};
/** As people read it: all its blanks alike. */
const textOf = async (page: Page, name: string, part = ':scope') =>
  (await dish(page, name).locator(part).first().innerText()).replace(/[\u00a0\u2009\u202f]/g, ' ');

/** A phone of each, which the tests share: the last ones leave it without filters that hide dishes. */
const phones = new Map(
  await Promise.all(
    samples.map(async ({ slug }) => [slug, await pages.open(slug, narrow)] as const),
  ),
);
const phoneOf = (slug: string) => phones.get(slug) ?? assert.fail(slug);

for (const { slug } of samples) {
  test(`the page of ${slug} fits phones, desks and paper`, async () => {
    const { page } = phoneOf(slug);
    await fits(page, slug, narrow.viewport);
    await page.setViewportSize(desk);
    await fits(page, slug, desk);
    await page.emulateMedia({ media: 'print' });
    await keepPicture(page, `${slug}-print`);
    await page.emulateMedia({ media: null });
    await page.setViewportSize(narrow.viewport);
  });
}

test('groups of options stand below dishes in words, and once a section on paper', async () => {
  const { page } = phoneOf('tazzina');
  assert.match(await textOf(page, 'Cappuccino'), /Latte: uno a scelta fra 4/);
  assert.match(await textOf(page, 'Cappuccino'), /Aggiunte: fino a 2/);
  assert.equal(await page.locator('.options-legend').first().isVisible(), false);
  await dish(page, 'Cappuccino').locator('summary').click();
  assert.match(await textOf(page, 'Cappuccino', '.more'), /avena.*\+0,50/);
  await page.emulateMedia({ media: 'print' });
  await page.locator('.options-legend').first().waitFor();
  assert.equal(await page.locator('#section-1 .options-legend p').count(), 2);
  await page.emulateMedia({ media: null });
});

test('the allergen filter looks at what must be chosen, and marks dishes with other choices', async () => {
  const { page } = phoneOf('tazzina');
  await page.locator('#filter').click();
  const choose = (value: string) =>
    page.locator(`#choices [value="${value}"]`).check({ force: true });
  await choose('latte');
  assert.equal(await isVisible(page, 'Cappuccino'), true, 'there is oat milk');
  assert.match(await textOf(page, 'Cappuccino', '.some'), /Alcune scelte/);
  assert.equal(await isVisible(page, 'Marocchino'), false);
  await choose('cereali_glutine');
  assert.equal(await isVisible(page, 'Cappuccino'), true, 'there is soy milk');
  assert.equal(await isVisible(page, 'Panino su misura'), false, 'the other bread is sold out');
  await choose('soia');
  assert.equal(await isVisible(page, 'Cappuccino'), false);
  await page.locator('#choices button').click();
  await page.locator('#filter').press('Escape');
});

test('a set menu is left out when a course has too few dishes for a guest', async () => {
  const { page } = phoneOf('fornello');
  const menu = await textOf(page, 'Menù del mezzogiorno');
  assert.match(menu, /Secondo \(uno a scelta fra 3\).*Trota al forno.*\+3,00/s);
  assert.match(menu, /Compreso: acqua, mezzo litro, caffè/);
  await page.locator('#filter').click();
  const choose = (value: string) =>
    page.locator(`#choices [value="${value}"]`).check({ force: true });
  await choose('cereali_glutine');
  assert.equal(await isVisible(page, 'Menù del mezzogiorno'), true, 'there is minestrone');
  assert.equal(await isVisible(page, 'Menù della casa'), false, 'all pasta has gluten');
  await choose('sedano');
  assert.equal(await isVisible(page, 'Menù del mezzogiorno'), false);
  await page.locator('#choices button').click();
  await page.locator('#filter').press('Escape');
});

test('labels filter dishes, with words about those without one', async () => {
  const { page } = phoneOf('fornello');
  await page.locator('#filter').click();
  await page.locator('#choices [value="vegetarian"]').check({ force: true });
  assert.equal(await isVisible(page, 'Minestrone'), true, 'vegan is vegetarian');
  assert.equal(await isVisible(page, 'Brasato'), false);
  assert.match(await page.locator('#found').innerText(), /senza indicazione: \d+/);
});

test('offers stand beside the usual price, and the one that holds is marked', async () => {
  const { page } = phoneOf('tappo');
  assert.match(
    await textOf(page, 'Spritz'),
    /Happy hour 4,50 €.*lun – ven, 18:00 – 20:00.*adesso/s,
  );
  const prosecco = dish(page, 'Prosecco al calice').locator('.offer');
  assert.deepEqual(
    await prosecco.evaluateAll((all) => all.map((one) => one.classList.contains('holds'))),
    [true, false],
  );
  const plain = await pages.open('tappo', { ...narrow, javaScriptEnabled: false });
  assert.match(await textOf(plain.page, 'Spritz'), /6,00.*4,50/s);
});

const yamabuki = await pages.open('yamabuki', { ...narrow, locale: 'ja-JP' });

test('each language is named in the switch by a code that guests know, or by its own name', async () => {
  const { page } = yamabuki;
  const links = page.locator('#languages a');
  assert.deepEqual(await links.allTextContents(), ['JA', 'EN', '简体中文']);
  assert.equal(await links.last().getAttribute('aria-label'), '简体中文');
});

test('the lines of a long name are whole in a font that is higher than its line', async () => {
  const { page, context } = yamabuki;
  const own = `document.querySelector('.dish .name .own')`;
  await page.evaluate(`${own}.textContent = '鯛の塩焼き'.repeat(8)`);
  const box = await page.locator('.dish .name').first().boundingBox();
  assert.ok(box && box.height > 50);
  // Below its last line run the dots, which the text covers.
  const clip = { ...box, height: box.height * 0.6 };
  const shown = await page.screenshot({ clip });
  await page.evaluate(`${own}.parentElement.style.background = 'none'`);
  assert.deepEqual(await page.screenshot({ clip }), shown);
  await context.close();
});

test('a choice that is sold out is said to be so, and Escape closes the filter from its button', async () => {
  const { page } = phoneOf('tazzina');
  const toast = dish(page, 'Panino su misura');
  await toast.locator('summary').click();
  const gone = toast.locator('.more .gone-option').first();
  assert.match((await gone.textContent()) ?? '', /\(Esaurito\)/);
  assert.match(await toast.locator('.more').ariaSnapshot(), /\(Esaurito\)/);
  await page.locator('#filter').click();
  await page.locator('#choices').waitFor();
  await page.locator('#filter').press('Escape');
  assert.equal(await page.locator('#choices').isVisible(), false);
});

test('a screen reader hears of a set menu its courses, their surcharges, and what has sold out', async () => {
  await pages.change(
    'fornello',
    `update dishes set sold_out_until = 'infinity'
     where tenant_id = $1 and name ->> 'it' = 'Trota al forno'`,
  );
  const { page } = await pages.open('fornello', narrow);
  const menu = dish(page, 'Menù del mezzogiorno');
  await menu.locator('summary').click();
  // The page gets the guest's list when all else is there.
  await menu.getByRole('button', { name: '+ La mia lista' }).waitFor();
  const id = await menu.getAttribute('id');
  const lines = await spokenTree(page, `#${id}`);
  const courses = [
    'Menù del mezzogiorno',
    '15,00 €',
    'Dal lunedì al venerdì, a pranzo.',
    ...['Primo', '(uno a scelta fra 3)', ':', 'Tagliatelle al ragù', ',', 'Minestrone', ','],
    ...['Tortelli di zucca', '+2,00 €'],
    ...['Secondo', '(uno a scelta fra 3)', ':', 'Pollo alla diavola', ',', 'Trota al forno'],
    ...['(Esaurito)', '+3,00 €', ',', 'Frittata alle erbe'],
    ...['Compreso', ':', 'acqua, mezzo litro', ',', 'caffè'],
  ];
  const said = lines.filter((line) => /^StaticText ./.test(line));
  const texts = said.map((line) => line.slice('StaticText '.length));
  assert.deepEqual(texts.slice(0, courses.length), courses);
  assert.deepEqual(
    lines.filter((line) => !/^(StaticText|strong|LabelText)/.test(line)),
    [
      'listitem',
      'group',
      `DisclosureTriangle Menù del mezzogiorno 15,00 € Dal lunedì al venerdì, a pranzo. \
Primo (uno a scelta fra 3): Tagliatelle al ragù, Minestrone, Tortelli di zucca +2,00 € \
Secondo (uno a scelta fra 3): Pollo alla diavola, Trota al forno (Esaurito) +3,00 €, \
Frittata alle erbe Compreso: acqua, mezzo litro, caffè`,
      'button Condividi',
      'spinbutton Quanti',
      'button + La mia lista',
    ],
  );
});

for (const { slug } of samples) {
  test(`the page of ${slug} fits walls`, async () => {
    const { page, context, show } = phoneOf(slug);
    await page.setViewportSize(desk);
    await show('?screen=1');
    await fits(page, slug, desk, true);
    await context.close();
  });
}
