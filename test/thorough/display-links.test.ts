// Addresses of the menu's page that lead to one dish, to one section, and to paper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { waitForPage } from '../support/browser.ts';
import { createDisplayPages, displayPages } from '../support/display-pages.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { often } from '../support/thorough.ts';
import { until } from '../support/until.ts';

const phone = { viewport: { width: 360, height: 740 } };

const pages = await displayPages([trattoria]);

async function idOf(name: string): Promise<string> {
  const path = `/items?search=${encodeURIComponent(name)}`;
  return (await pages.client('trattoria').get(path)).json.data[0].id;
}

test('the address of a dish opens it below the bar, and its button copies that address', async () => {
  const id = `dish-${await idOf('Tiramisù')}`;
  const permissions = ['clipboard-read', 'clipboard-write'];
  const options = { ...phone, permissions, query: `?lang=de#${id}` };
  const { context, page } = await pages.open('trattoria', options);
  const more = page.locator(`#${id} .more`);
  await more.waitFor();
  assert.equal(await page.locator('.dish > [open]').count(), 1);
  const [bar, box] = await Promise.all([
    page.locator('#bar').boundingBox(),
    page.locator(`#${id}`).boundingBox(),
  ]);
  assert.ok(
    bar && box && box.y >= bar.y + bar.height - 1 && box.y < 700,
    JSON.stringify([bar, box]),
  );
  await more.locator('.share').click();
  await page.locator('.share', { hasText: 'Link kopiert' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.equal(copied, pages.urlOf('trattoria', `#${id}`));
  await context.close();
});

test('a dish with nothing but a name opens, says that it has no allergen, and can be shared', async () => {
  const plain = restaurantOf('osteria', [sectionOf('Tutto', { dishes: [dishOf('Acqua')] })]);
  const own = await createDisplayPages([plain]);
  try {
    const { page } = await own.open('osteria', phone);
    await page.locator('.dish summary').click();
    const more = page.locator('.dish .more');
    assert.equal(await more.locator('p').innerText(), 'Nessuno dei 14 allergeni');
    await more.locator('.share').waitFor();
    const { page: bare } = await own.open('osteria', { ...phone, javaScriptEnabled: false });
    await bare.locator('.dish summary').click();
    await bare.locator('.dish .more p').waitFor();
  } finally {
    await own.stop();
  }
});

/** A phone that the next tests share. */
const shared = await pages.open('trattoria', phone);

test('a link to a section is there at once', async () => {
  const { page } = shared;
  // The links and the place are read in one turn of the page: nothing can scroll meanwhile.
  const [before, after, top] = await page.evaluate<number[]>(`(() => {
    const links = [...document.querySelectorAll('#sections a')];
    const before = scrollY;
    links.at(-1).click();
    const section = document.querySelector(links.at(-1).hash);
    return [before, scrollY, section.getBoundingClientRect().top];
  })()`);
  assert.equal(before, 0);
  assert.ok(after !== undefined && after > 2_000, `${after} px`);
  assert.ok(top !== undefined && top >= 0 && top < 200, `${top} px`);
});

test('another dish that the address names is opened, too, without another visit', async () => {
  const { page } = shared;
  const id = `dish-${await idOf('Gricia')}`;
  assert.equal(await page.locator(`#${id} .more`).isVisible(), false);
  await page.evaluate(`location.hash = '${id}'`);
  await page.locator(`#${id} .more`).waitFor();
});

test('a dish that is named by an address and is not on the menu leaves the page as it is', async () => {
  const { context, page, show } = shared;
  await show('?lang=it#dish-999999');
  await until('the page is not ready', async () => (await page.locator('.dish').count()) > 50);
  assert.equal(await page.locator('.dish > [open]').count(), 0);
  await context.close();
});

/** Resolves when a script that comes late has taken the wishes for paper in the address. */
async function untilPrepared(page: Page, query: string): Promise<void> {
  await waitForPage(page);
  const wishes = new URLSearchParams(query);
  const type = wishes.get('type');
  if (type) await page.waitForSelector(`html[data-type="${type}"]`, { state: 'attached' });
  if (wishes.has('print')) await page.waitForSelector('.not-printed', { state: 'attached' });
}

test('paper has the size of type and the sections that the address names', async () => {
  const [first, second] = (await pages.client('trattoria').get('/categories')).json.data;
  const { context, page } = await pages.open('trattoria');
  await page.emulateMedia({ media: 'print' });
  const size = async (query: string) => {
    await page.goto(pages.urlOf('trattoria', query));
    await untilPrepared(page, query);
    const px = await page.evaluate<number>(
      `Number.parseFloat(getComputedStyle(document.querySelector('.dish .name')).fontSize)`,
    );
    const titles = await page.locator('main > section h2:visible').allInnerTexts();
    return { px, titles };
  };
  const usual = await size('');
  const small = await size('?type=small');
  const large = await size('?type=large');
  const huge = await size('?type=huge');
  // In points of paper: 11 is the usual size.
  assert.ok(Math.abs(usual.px * 0.75 - 11) < 0.1, `${usual.px} px`);
  assert.ok(small.px < usual.px && usual.px < large.px && large.px < huge.px);
  const some = await size(`?print=${first.id}&print=${second.id}`);
  assert.deepEqual(some.titles, [first.name, second.name]);
  assert.ok(usual.titles.length > some.titles.length);
  await context.close();
});

/** Sheets without their margins, with the least points of names and of the rest. */
const SHEETS = [
  { sheet: 'A4', viewport: { width: 703, height: 1035 }, names: 10, rest: 8.5 },
  { sheet: 'A5', viewport: { width: 468, height: 707 }, names: 9, rest: 8 },
];

/** Of the texts that are printed: the class of each with its points, and those that are cut. */
const PRINTED = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const printed = [];
  while (texts.nextNode()) {
    const { parentElement: element, textContent } = texts.currentNode;
    if (!textContent.trim() || !element.checkVisibility() || element.closest('.hidden')) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const { left, right, width } = range.getBoundingClientRect();
    if (width <= 1) continue;
    const points = Number.parseFloat(getComputedStyle(element).fontSize) * 0.75;
    const isName = Boolean(element.closest('.name .own')) && !element.closest('.marks, .code');
    const isCut = left < -1 || right > innerWidth + 1;
    printed.push({ text: textContent.trim(), points, isName, isCut });
  }
  return printed;
})()`;

interface Printed {
  text: string;
  points: number;
  isName: boolean;
  isCut: boolean;
}

test('type on A4 and A5 is large enough to be read, and nothing is cut, at each size', async () => {
  const { context, page } = await pages.open('trattoria');
  await page.emulateMedia({ media: 'print' });
  const languages = ['it', 'de'];
  for (const [at, type] of ['small', 'normal', 'large', 'huge'].entries()) {
    // In `npm test` each size in one language, on the long walk in both.
    for (const lang of languages.filter((_, of) => (at + of) % often(2, 1) === 0)) {
      const query = `?lang=${lang}&type=${type}`;
      await page.goto(pages.urlOf('trattoria', query));
      await untilPrepared(page, query);
      assert.equal(await page.getAttribute('html', 'lang'), lang);
      for (const { sheet, viewport, names, rest } of SHEETS) {
        await page.setViewportSize(viewport);
        const printed = await page.evaluate<Printed[]>(PRINTED);
        assert.ok(printed.filter(({ isName }) => isName).length > 50);
        const faults = printed.filter(
          ({ points, isName, isCut }) => isCut || points < (isName ? names : rest) - 0.05,
        );
        assert.deepEqual(faults, [], `${sheet}, ${type}, ${lang}`);
      }
    }
  }
  await context.close();
});
