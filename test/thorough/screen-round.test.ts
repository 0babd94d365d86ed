// How long a wall takes for a round of its menu, and the least size of its type.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { displayPages } from '../support/display-pages.ts';
import { keepPicture } from '../support/keep-picture.ts';

const pages = await displayPages([trattoria]);
const wall = { viewport: { width: 1920, height: 1080 }, time: '2026-06-01T10:30:00Z' };

/** The first dish of the page that a wall shows. */
const FIRST = `document.querySelector('.dish:not(.off)').id`;
/** Between two looks, in ms. */
const STEP = 200;
/** In px. */
const SIZES = `['html', '#legend li', '.dish:not(.off) .price'].map((one) =>
  Number.parseFloat(getComputedStyle(document.querySelector(one)).fontSize))`;

/** The wall upright, too, and the language with the longest words. */
const ROUNDS = [
  ['?screen=1', wall.viewport],
  ['?screen=1&text=large', wall.viewport],
  ['?screen=1&text=large&lang=de', wall.viewport],
  ['?screen=1&text=large&lang=fr', { width: 1080, height: 1920 }],
] as const;
/** Whether each dish that is shown stands in one column. */
const IS_WHOLE = `[...document.querySelectorAll('.dish:not(.off)')]
  .every((one) => one.getClientRects().length === 1)`;

for (const [query, viewport] of ROUNDS) {
  test(`a wall shows a whole menu of many pages within ninety seconds: ${query}`, async (t) => {
    await lookAtRound(t, query, viewport);
  });
}

async function lookAtRound(
  t: TestContext,
  query: string,
  viewport: { width: number; height: number },
): Promise<void> {
  const { context, page } = await pages.open('trattoria', { ...wall, query, viewport });
  const first = await page.evaluate<string>(FIRST);
  const all = new Set([first]);
  let seconds = 0;
  let isRound = false;
  while (!isRound && seconds < 120) {
    await page.clock.fastForward(STEP);
    seconds += STEP / 1_000;
    const shown = await page.evaluate<string>(FIRST);
    isRound = shown === first && all.size > 1;
    all.add(shown);
    assert.equal(await page.evaluate(IS_WHOLE), true, `the page of ${shown}`);
    if (all.size % 5 === 1) await keepPicture(page, `round-${all.size}`, false);
  }
  t.diagnostic(`${all.size} pages in ${seconds} s`);
  // A page stands up to a step longer here.
  assert.ok(
    all.size > 3 && seconds <= 90 + (all.size * STEP) / 1_000,
    `${all.size} pages in ${seconds} s`,
  );
  await context.close();
}

test('a wall with large text has larger type, and a legend that is read from afar', async () => {
  const sizesOf = async (query: string) => {
    const { context, page } = await pages.open('trattoria', { ...wall, query });
    const sizes = await page.evaluate<number[]>(SIZES);
    await context.close();
    return sizes;
  };
  const [usual, legend = 0, price = 0] = await sizesOf('?screen=1');
  const [large, largeLegend = 0, largePrice = 0] = await sizesOf('?screen=1&text=large');
  assert.ok(Number(large) > Number(usual) || Number(large) >= 41, `${large} and ${usual} px`);
  assert.ok(largePrice >= 1.1 * price, `${largePrice} and ${price} px`);
  assert.ok(legend >= 28 && largeLegend > legend, `${legend} and ${largeLegend} px`);
});
