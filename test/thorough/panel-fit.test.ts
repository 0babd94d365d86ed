// Pages of the panel fit a phone of 360 px, also with letters of twice the size. The long walk takes
// every page in all five languages, and looks for barriers in one: they are the same in all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { LOCALES } from '../../db/schema/values/locale.ts';
import { PLACES } from '../../gateway/panel/navigation.ts';
import { barriersOf } from '../support/barriers.ts';
import { opens } from '../support/browser.ts';
import { narrowPhone, panelPages } from '../support/panel-pages.ts';
import { isFramed, PANEL_PATHS, plantPages } from '../support/panel-paths.ts';
import { isThorough, often } from '../support/thorough.ts';

const pages = await panelPages([trattoria], {
  constants: { maxPanelCost: Number.MAX_SAFE_INTEGER },
});
await plantPages(pages.service);

/** Boxes that are too wide: the page itself, and boxes that are narrower than their text. */
const TOO_WIDE = `(() => {
  const wide = document.documentElement.scrollWidth > 360 ? ['the page'] : [];
  const boxes = document.querySelectorAll('main :is(a, button, label, legend, summary, th, td, p, li, h1, h2, h3, .state)');
  for (const box of boxes) {
    const isShown = box.checkVisibility() && box.clientWidth > 1 && !box.matches('.hidden');
    if (isShown && box.scrollWidth > box.clientWidth + 1) wide.push(box.outerHTML.slice(0, 200));
  }
  return wide;
})()`;

/** The language with the longest words. */
const LONGEST = 'de';
for (const locale of isThorough ? LOCALES : ([LONGEST] as const)) {
  test(`pages fit a phone, with letters of twice the size too, in ${locale}`, async () => {
    const page = await pages.enter('trattoria', '/admin', { ...narrowPhone, locale });

    const found: string[] = [];
    const note = (what: unknown) => found.push(`${page.url()}: ${what}`);
    const look = async () => {
      for (const box of (await page.evaluate(TOO_WIDE)) as string[]) note(box);
      const isSearched = isThorough && locale === LONGEST;
      if (isSearched) for (const barrier of await barriersOf(page)) note(barrier);
      // As wide as a phone whose letters are twice the size.
      await page.setViewportSize({ width: 180, height: 370 });
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
      if (width > 180) note(`${width} px wide at 180`);
      await page.setViewportSize({ width: 360, height: 740 });
    };
    // All of them are for the long walk.
    const paths = PANEL_PATHS.filter((one) => !isFramed(one));
    for (const path of paths.filter((_, at) => at % often(3, 1) === 0)) {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      assert.equal(await page.locator('html').getAttribute('lang'), locale);
      // Folded parts must fit as well.
      await page.evaluate(
        `for (const one of document.querySelectorAll('main details')) one.open = true`,
      );
      await look();
    }
    await page.context().clearCookies();
    await page.goto('/admin/sign-in');
    await look();
    assert.deepEqual(found, []);
  });
}

/** The different values of a side of the boxes that a selector finds, in whole px. */
const sidesOf = (selector: string, side: 'left' | 'right' | 'height') =>
  `[...new Set([...document.querySelectorAll('${selector}')]
    .map((box) => Math.round(box.getBoundingClientRect().${side})))]`;

test('rows of the lists are in line, whatever buttons each has', async () => {
  const desk = { locale: 'de', viewport: { width: 1280, height: 900 } };
  const page = await pages.enter('trattoria', '/admin/menu?section=1', desk);
  await page.locator('.dish .grip').first().waitFor();
  for (const [selector, side] of [
    ['.dish .price', 'left'],
    ['.dish .grip', 'left'],
    ['.section .count', 'right'],
    ['.section .grip', 'left'],
  ] as const) {
    const sides = (await page.evaluate(sidesOf(selector, side))) as number[];
    assert.equal(sides.length, 1, `${side} of ${selector}: ${sides.join(', ')}`);
  }
  // On a phone a dish's buttons stand in one row, in the language with the longest words.
  await page.setViewportSize({ width: 360, height: 740 });
  const heights = (await page.evaluate(sidesOf('.dish .acts', 'height'))) as number[];
  assert.deepEqual(heights, [44]);
});

test('word of a change has its button and its link apart, each whole on a line', async () => {
  for (const locale of LOCALES) {
    const phone = { ...narrowPhone, locale };
    const page = await pages.enter('trattoria', '/admin/menu?section=1', phone);
    await opens(page, () => page.locator('.dish .acts > button').first().click());
    await page.locator('.notice form a').waitFor();
    const [lines, gap] = await page.evaluate<number[]>(`(() => {
      const [button, link] = document.querySelectorAll('.notice form :is(.button, a)');
      const [upper, lower] = [button, link].map((one) => one.getBoundingClientRect());
      const gap = Math.max(lower.top - upper.bottom, lower.left - upper.right);
      return [link.getClientRects().length, gap];
    })()`);
    assert.equal(lines, 1, locale);
    assert.ok(gap !== undefined && gap >= 7, `${locale}: ${gap} px`);
    await page.context().close();
  }
});

test('on a phone without script each page of the panel is two taps away, and its group is marked', async () => {
  const options = { ...narrowPhone, locale: 'de', javaScriptEnabled: false };
  const page = await pages.enter('trattoria', '/admin/import', options);

  const groups = page.locator('.places summary');
  assert.deepEqual(await page.locator('.places .current').allInnerTexts(), ['Mehr']);
  const found = new Set<string>();
  const look = async () => {
    for (const link of await page.locator('.places a:visible').all()) {
      const box = await link.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 360 && box.height >= 43.5);
      assert.ok(box.y + box.height <= 740, 'in the window');
      found.add((await link.getAttribute('href')) ?? '');
    }
  };
  await look();
  for (const group of await groups.all()) {
    await group.click();
    await look();
  }
  const paths = Object.values(PLACES).map(({ path }) => path);
  assert.deepEqual(found, new Set<string>(paths));
  assert.equal(paths.length, found.size);
  await page.locator('.places a', { hasText: 'Webhooks' }).click();
  await page.waitForURL('**/admin/webhooks');
});

test('header and navigation take at most 120 px of a phone, in each language', async () => {
  const page = await pages.enter('trattoria', '/admin/menu', narrowPhone);

  const { origin } = new URL(page.url());
  for (const value of LOCALES) {
    const cookie = { name: 'lavagna-lang', value, url: `${origin}/admin/` };
    await page.context().addCookies([cookie]);
    await page.goto('/admin/menu');
    assert.equal(await page.locator('html').getAttribute('lang'), value);
    const box = await page.locator('.places').boundingBox();
    assert.ok(box && box.y + box.height <= 120, `${value}: ${JSON.stringify(box)}`);
  }
});
