// The wall and the guest's page in browsers that televisions and old tablets have.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { displayPages, LONE_MARKS } from '../support/display-pages.ts';
import { afterFile } from '../support/for-file.ts';
import { type OlderPage, type OlderVersion, openOlderBrowser } from '../support/older-browser.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';

const HD = { width: 1920, height: 1080 };
const names = Array.from({ length: 30 }, (_, n) => `Gnocchi ${n + 1}`);
const menu = [
  sectionOf('Primi', { dishes: names.map((name) => dishOf(name, { price: 9 })) }),
  sectionOf('Dolci', { dishes: [dishOf('Tiramisù', { price: 6 })] }),
];

const long = restaurantOf(
  'lunga',
  names.slice(0, 8).map((name) => sectionOf(name, { dishes: [dishOf(name)] })),
);

const pages = await displayPages([restaurantOf('osteria', menu), long]);

const VISIBLE = `[...document.querySelectorAll('.dish')].filter((one) => one.offsetParent)`;
const SHOWN = `${VISIBLE}.map((one) => one.querySelector('.name .own').textContent)`;
const PRICES = `${VISIBLE}.map((one) => one.querySelector('.price').textContent).join(' ')`;
const press = (key: string) =>
  `document.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))`;

/** The page is as large as a television. */
async function showsWallAndSearch(version: OlderVersion, page: OlderPage): Promise<void> {
  const becomes = (what: string, expression: string) =>
    until(what, () => page.evaluate<boolean>(expression));
  assert.match(await page.evaluate('navigator.userAgent'), new RegExp(`/${version}\\.`));

  await page.open(pages.urlOf('osteria', '?screen=1'));
  await becomes('the wall is laid out', `'laidOut' in document.documentElement.dataset`);
  const sizes = await page.evaluate<number[]>(
    `${VISIBLE}.map((one) => parseFloat(getComputedStyle(one.querySelector('.price')).fontSize))`,
  );
  assert.ok(sizes.length > 1 && Math.min(...sizes) >= 47.5, sizes.join());
  const isInside = `${VISIBLE}.every((one) => { const box = one.getBoundingClientRect();
    return box.left > 0 && box.right < innerWidth && box.bottom < innerHeight; })`;
  assert.equal(await page.evaluate(isInside), true);
  assert.deepEqual(await page.evaluate(LONE_MARKS), [], 'a mark stands alone on a line');
  const found = new Set<string>();
  for (let turn = 0; turn < 10; turn += 1) {
    for (const name of await page.evaluate<string[]>(SHOWN)) found.add(name);
    await page.evaluate(press('ArrowRight'));
  }
  assert.deepEqual([...found].sort(), [...names, 'Tiramisù'].sort());
  const price = version + 0.25;
  await pages.change('osteria', `update dishes set price = ${price} where tenant_id = $1`);
  await becomes('the new price', `/${version}[.,]25/.test(${PRICES})`);

  await page.open(pages.urlOf('osteria'));
  await becomes('the script has run', `'begun' in document.documentElement.dataset`);
  await page.evaluate(`{ const search = document.getElementById('search');
    search.value = 'tiramiso'; search.dispatchEvent(new Event('input')); }`);
  assert.deepEqual(await page.evaluate(SHOWN), ['Tiramisù']);
  const gutter = await page.evaluate<number>(
    `parseFloat(getComputedStyle(document.querySelector('main')).paddingLeft)`,
  );
  assert.ok(gutter >= 20, `${gutter} px beside the menu`);
  assert.deepEqual(page.errors, []);
}

async function leadsToSections(page: OlderPage): Promise<void> {
  const links = `[...document.querySelectorAll('#sections a')]
    .map((one) => one.getBoundingClientRect())`;
  for (const [width, height] of [
    [360, 740],
    [1280, 900],
  ] as const) {
    await page.resize({ width, height });
    await page.open(pages.urlOf('lunga'));
    await until('the page has no script', () =>
      page.evaluate<boolean>(`'begun' in document.documentElement.dataset`),
    );
    await page.evaluate(`document.querySelector('#sections ul').scrollLeft = 0`);
    const [first, last] = await page.evaluate<{ left: number; right: number }[]>(
      `[${links}[0], ${links}.pop()].map(({ left, right }) => ({ left, right }))`,
    );
    assert.ok(first && last && first.left >= 0 && first.left < 60, JSON.stringify(first));
    // On a phone they scroll; a desk has room for all.
    assert.equal(last.right > width, width === 360, JSON.stringify(last));
    const tools = await page.evaluate<number>(
      `document.getElementById('tools').getBoundingClientRect().right`,
    );
    assert.ok(tools > width * 0.8 && tools <= width, `${tools} of ${width} px`);
  }
}

for (const version of [77, 83] as const satisfies readonly OlderVersion[]) {
  const page = await openOlderBrowser(version, HD);
  afterFile(() => page.close());
  describe(`Chromium ${version}`, () => {
    test('shows a wall page by page, follows changes, and searches as a guest', () =>
      showsWallAndSearch(version, page));
    test('leads to every section on a phone, and uses the width of a desk', () =>
      leadsToSections(page));
  });
}

test('a wall without modules or script is loaded again and again', async () => {
  const { text } = await pages.client('osteria').send('/?screen=1');
  assert.match(text, /<noscript><meta http-equiv="refresh" content="60"><\/noscript>/);
  const [, path = ''] = /<script nomodule src="([^"]+)"/.exec(text) ?? [];
  const script = (await pages.client('osteria').send(path)).shows(/location\.reload\(\)/);
  // Browsers before modules read the first edition of the language that has no arrows.
  assert.doesNotMatch(script.text, /=>|`|\b(?:const|let)\b/);
});
