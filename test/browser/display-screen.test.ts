// The page on a wall, without a guest who could reload it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { guestTexts } from '../../db/texts/catalogues.ts';
import { checkHeadings, displayPages, LONE_MARKS, untilLaidOut } from '../support/display-pages.ts';
import { dishOf, nestedSections, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';

const wall = { query: '?screen=1', viewport: { width: 1920, height: 1080 } };
const lunch = { start: '12:00', end: '15:00' };

const hours = restaurantOf('hours', [
  sectionOf('Pranzo', { time_visibility: lunch, dishes: [dishOf('Gricia romana')] }),
  sectionOf('Cena', {
    time_visibility: { start: '19:00', end: '23:00' },
    dishes: [dishOf('Bistecca')],
  }),
  sectionOf('Cantina', {
    children: [sectionOf('Al calice', { time_visibility: lunch, dishes: [dishOf('Frascati')] })],
  }),
]);
const bare = restaurantOf('bare', []);
const frozen = { labels: ['frozen'], allergens: ['pesce'] } as Parameters<typeof dishOf>[1];
const lawful = restaurantOf('lawful', [sectionOf('Pesce', [dishOf('Fritto', frozen)])], {
  ...{ country: 'IT', allergen_info: '' },
} as Parameters<typeof restaurantOf>[2]);
const wordy = restaurantOf(
  'wordy',
  [
    sectionOf('Primi della tradizione romana, tirati a mano ogni mattina nella nostra cucina', {
      notes: 'Tutti i nostri primi sono fatti in casa ogni giorno. '.repeat(12),
      dishes: ['Gricia', 'Carbonara', 'Amatriciana'].map((name) => dishOf(name)),
      children: [nestedSections(2)],
    }),
  ],
  {
    name: 'Antica Trattoria della Stazione di Santa Maria Novella e Figli, già Gallo Nero. '.repeat(
      2,
    ),
  },
);
wordy.theme = { ...trattoria.theme, layout_variant: 'slides' };

const pages = await displayPages([hours, bare, wordy, lawful], { alone: true });

/** The visible parts of the menu, in the order of the page. */
const shown = (page: Page) => page.locator('main > :is(section, .nothing):visible');
const title = async (page: Page) => (await shown(page).first().innerText()).split('\n')[0];

test('a screen shows the sentences of the country’s law below its legend, whose entries share lines', async () => {
  const { page } = await pages.open('lawful', wall);
  const lines = page.locator('#legend p.law:visible');
  assert.deepEqual(await lines.allInnerTexts(), [
    ...[guestTexts('it').law.frozen.replace('{value}', 'Surgelato'), guestTexts('it').law.askStaff],
  ]);
  const tops = await page
    .locator('#legend ol > li')
    .evaluateAll((entries) => entries.slice(0, 3).map((one) => one.getBoundingClientRect().top));
  assert.equal(new Set(tops).size, 1, `the first entries begin at ${tops}`);
});

test('a screen follows the hours, and says so when nothing is served', async () => {
  const closedHouse = { ...wall, time: '2026-06-01T09:50:00Z', until: '.nothing' };
  const { page } = await pages.open('hours', closedHouse);
  // A slow machine must not turn pages in between.
  await page.clock.pauseAt('2026-06-01T09:52:00Z');
  const closed = 'In questo momento nessuna parte del menù è disponibile.';
  assert.equal(await title(page), closed);
  // Light letters on black, dimmed: the theme's own would be dark ones.
  const styles = await page.evaluate(`
    [document.documentElement, document.body, document.querySelector('.nothing')]
      .map((one) => getComputedStyle(one))
      .map(({ backgroundColor, color, opacity }) => [backgroundColor, color, opacity])`);
  type Style = readonly string[];
  const [[black], [ground, , dimmed], [, letters]] = styles as [Style, Style, Style];
  const wanted = ['rgb(0, 0, 0)', 'rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)', '0.5'];
  assert.deepEqual([black, ground, letters, dimmed], wanted);
  await page.clock.fastForward('10:30');
  assert.equal(await title(page), 'Pranzo');
  assert.deepEqual(await page.evaluate(LONE_MARKS), []);
  assert.deepEqual(await page.locator('h2:visible').allInnerTexts(), ['Pranzo', 'Cantina']);
  await page.clock.fastForward('03:00:00');
  assert.equal(await title(page), closed);
  await page.clock.fastForward('04:00:00');
  assert.equal(await title(page), 'Cena');
  assert.deepEqual(await page.locator('h2:visible').allInnerTexts(), ['Cena']);
});

test('an empty menu says that it is', async () => {
  for (const options of [wall, { locale: 'de-DE', query: '?lang=de' }]) {
    const { context, page } = await pages.open('bare', { ...options, until: '.nothing' });
    const said = await shown(page).innerText();
    assert.match(said, /^(Al momento il menù è vuoto|Die Karte ist .*)\.$/);
    for (const useless of ['#tools', '#sections', '#legend']) {
      assert.equal(await page.isVisible(useless), false, useless);
    }
    await context.close();
  }
});

test('a screen is loaded again every day, but never while nothing would come', async () => {
  const options = { ...wall, time: '2026-06-01T10:30:00Z', serviceWorkers: 'block' as const };
  const { context, page } = await pages.open('hours', options);
  await page.evaluate('window.same = true');
  const isSame = () => page.evaluate('window.same === true');
  const address = pages.urlOf('hours', wall.query);
  await context.route(address, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
  const refused = page.waitForResponse(address);
  await page.clock.fastForward('24:00:00');
  await (await refused).finished();
  assert.equal(await isSame(), true);
  await context.unroute(address);
  const loaded = page.waitForEvent('load');
  await page.clock.fastForward('01:00:00');
  await loaded;
  assert.equal(await isSame(), false);
  await shown(page).first().waitFor();
});

test('a page without one of its files is loaded again', async () => {
  const options = { ...wall, time: '2026-06-01T10:30:00Z', serviceWorkers: 'block' as const };
  const { context, page } = await pages.open('hours', options);
  type Loss = (route: Route) => Promise<void>;
  const refuse: Loss = (route) => route.fulfill({ status: 503, body: '' });
  const drop: Loss = (route) => route.abort();
  for (const [file, losses] of [
    ['display.js', [refuse, refuse]],
    ['display.css', [refuse, drop]],
  ] as const) {
    const left: Loss[] = [...losses];
    await context.route(`**/${file}`, (route) => {
      // The page keeps copies for outages, too.
      const isCopy = route.request().resourceType() === 'fetch';
      return (isCopy ? undefined : left.shift())?.(route) ?? route.continue();
    });
    await page.reload();
    await shown(page).first().waitFor();
    for (const pause of ['00:05', '00:10']) {
      const loaded = page.waitForEvent('load');
      await page.clock.fastForward(pause);
      await loaded;
    }
    assert.deepEqual(left, []);
    await shown(page).first().waitFor();
  }
  await page.evaluate('window.same = true');
  await page.clock.fastForward('01:00');
  assert.equal(await page.evaluate('window.same'), true);
});

test('on a screen long names leave the dishes their room, and deep sections stand apart', async () => {
  const { page } = await pages.open('wordy', wall);
  const isRoomy = `(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    return box('.flow').height > innerHeight / 3 && box('#name').right <= box('#updated').left;
  })()`;
  for (const viewport of [
    { width: 1920, height: 1080 },
    { width: 1080, height: 1920 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(viewport);
    // The page is laid out again when the window has kept its size for a moment.
    await until('the dishes have no room', () => page.evaluate<boolean>(isRoomy));
  }
  // How far what follows dishes in their column is from them, in lines of text.
  const gaps = `[...document.querySelectorAll('.dishes:not(.off) + :is(section, .group):not(.off)')]
    .map((next) => [next, next.previousElementSibling].map((one) => [...one.getClientRects()]))
    .filter(([[next], before]) => next.left - before.at(-1).left < innerWidth / 4)
    .map(([[next], before]) => (next.top - before.at(-1).bottom) /
      Number.parseFloat(getComputedStyle(document.documentElement).fontSize))`;
  await page.setViewportSize(wall.viewport);
  for (const layout of ['classic', 'grid', 'compact', 'slides']) {
    await page.evaluate(`document.documentElement.dataset.layout = '${layout}'`);
    await page.evaluate(`dispatchEvent(new Event('resize'))`);
    // The menu is divided into pages again when the window has kept its size for a moment.
    await page.clock.runFor(1_000);
    let found: number[] = [];
    await until(`${layout}: nothing stands below dishes`, async () => {
      found = await page.evaluate<number[]>(gaps);
      if (found.length === 0) await page.keyboard.press('ArrowRight');
      return found.length > 0;
    });
    assert.ok(Math.min(...found) >= 1, `${layout}: ${found}`);
    await checkHeadings(page, layout);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  const colors = `[...new Set([...document.querySelectorAll('.dish, .dish *')]
    .map((part) => getComputedStyle(part).color))]`;
  assert.equal((await page.evaluate<string[]>(colors)).length, 1, 'no dish looks like a link');
});

test('a wide window, which may be a guest’s, offers the guest’s page to people who stir', async () => {
  const { page } = await pages.open('wordy', { viewport: wall.viewport, query: '?lang=de' });
  const way = page.locator('#way-out');
  assert.equal(await way.isVisible(), false);
  await page.mouse.move(300, 300);
  await way.waitFor();
  const box = await way.boundingBox();
  await page.clock.runFor('00:10');
  assert.equal(await way.isVisible(), false);
  // Who touches the wall where the link would be has not meant it.
  await page.mouse.click((box?.x ?? 0) + 9, (box?.y ?? 0) + 9);
  await way.waitFor();
  assert.doesNotMatch(page.url(), /screen=0/);
  // The pointer rests while pages turn below it.
  await page.clock.runFor('01:00');
  assert.equal(await way.isVisible(), false);
  // The first one begins at the latest click, which was on the link.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.clock.runFor('00:10');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'In der Karte blättern');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\?lang=de&screen=0$/);
  await page.locator('#search').waitFor();
  await page.mouse.move(310, 310);
  assert.equal(await way.count(), 0);
});

test('a screen is loaded again when a font is to come from elsewhere', async () => {
  const { context, page } = await pages.open('wordy', wall);
  await pages.change(
    'wordy',
    "update themes set font_url = 'https://fonts.example/other.css' where tenant_id = $1",
  );
  const loaded = page.waitForEvent('load');
  const font = context.waitForEvent('request', (request) => /other\.css/.test(request.url()));
  await page.clock.fastForward('00:30');
  await loaded;
  await font;
});

test('a screen lasts a night without a network and opens after a power cut, and says of what time its menu is', async () => {
  const { context, page } = await pages.open('wordy', { ...wall, time: '2026-06-01T20:15:00Z' });
  const isKept = `caches.match('/?screen=1')
    .then((page) => page !== undefined && navigator.serviceWorker.controller !== null)`;
  await until('the page is not kept', () => page.evaluate<boolean>(isKept));
  // The last message to the screen counts, also a theme that came after the page.
  await pages.change(
    'wordy',
    "update themes set background_color = '#102030' where tenant_id = $1",
  );
  await page.clock.fastForward('00:15');
  const ground = `getComputedStyle(document.documentElement).getPropertyValue('--page').trim()`;
  const isDark = (screen: Page) => async () => (await screen.evaluate(ground)) === '#102030';
  await until('the theme is not there', isDark(page));
  const isThemeKept = `caches.match(document.getElementById('theme').href).then(Boolean)`;
  await until('the theme is not kept', () => page.evaluate<boolean>(isThemeKept));
  await pages.stopGateway();
  const outageOf = (screen: Page) => screen.locator('#outage', { hasText: 'Nessuna connessione' });
  const age = /questo è il menù delle \d\d:15 \(1 giugno\)\.$/;
  // It hangs there through the night.
  await page.clock.fastForward('08:00:00');
  await outageOf(page).waitFor();
  assert.match(await outageOf(page).innerText(), age);
  assert.equal(await shown(page).count(), 1);
  await page.close();

  const again = await context.newPage();
  await again.clock.install({ time: '2026-06-02T05:00:00Z' });
  await again.goto(pages.urlOf('wordy', wall.query));
  await untilLaidOut(again);
  await outageOf(again).waitFor();
  assert.match(await outageOf(again).innerText(), age);
  assert.equal(await title(again), await again.locator('h2').first().innerText());
  assert.equal(await isDark(again)(), true);
  await pages.restartGateway();
  await again.clock.fastForward('02:00');
  await again.locator('#outage:empty').waitFor({ state: 'attached' });
  assert.match(await again.innerText('#updated'), /^Aggiornato alle \d\d:0\d$/);
});
