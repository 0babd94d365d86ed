// How long a wall takes for a round of its menu, and the least size of its type.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { displayPages } from '../support/display-pages.ts';

const pages = await displayPages([trattoria]);
const wall = { viewport: { width: 1920, height: 1080 }, time: '2026-06-01T10:30:00Z' };

/** The first dish of the page that a wall shows. */
const FIRST = `document.querySelector('.dish:not(.off)').id`;
/** Between two looks, in ms. */
const STEP = 200;
/** In px. */
const SIZES = `['html', '#legend li'].map((one) =>
  Number.parseFloat(getComputedStyle(document.querySelector(one)).fontSize))`;

test('a wall shows a whole menu of many pages within ninety seconds', async (t) => {
  const { context, page } = await pages.open('trattoria', { ...wall, query: '?screen=1' });
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
    if (process.env.SCREENSHOTS && all.size % 5 === 1) {
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/round-${all.size}.png` });
    }
  }
  t.diagnostic(`${all.size} pages in ${seconds} s`);
  // A page stands up to a step longer here.
  assert.ok(
    all.size > 3 && seconds <= 90 + (all.size * STEP) / 1_000,
    `${all.size} pages in ${seconds} s`,
  );
  await context.close();
});

test('a wall with large text has larger type, and a legend that is read from afar', async () => {
  const sizesOf = async (query: string) => {
    const { context, page } = await pages.open('trattoria', { ...wall, query });
    const sizes = await page.evaluate<number[]>(SIZES);
    await context.close();
    return sizes;
  };
  const [usual, legend = 0] = await sizesOf('?screen=1');
  const [large, largeLegend = 0] = await sizesOf('?screen=1&text=large');
  assert.ok(Number(large) > Number(usual) || Number(large) >= 41, `${large} and ${usual} px`);
  assert.ok(legend >= 28 && largeLegend > legend, `${legend} and ${largeLegend} px`);
});
