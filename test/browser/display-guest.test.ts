// The guest's page when the device, the network or the restaurant is unlike the usual ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Request, Route } from 'playwright-core';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { allergens } from '../../db/schema/dictionary.ts';
import {
  checkHeadings,
  displayPages,
  type OpenedPage,
  PAGE_CHECK,
} from '../support/display-pages.ts';
import {
  dishOf,
  nestedSections,
  restaurantOf,
  sectionOf,
  wineryOf,
} from '../support/restaurant.ts';
import { until } from '../support/until.ts';

const wide = restaurantOf(
  'wide',
  [
    sectionOf('Secondi', [
      dishOf('Rindfleischetikettierungsüberwachungsaufgabe', {
        price: 12_345.67,
        allergens: [...allergens.keys],
      }),
    ]),
    sectionOf('Contorni', [dishOf('Cicoria')]),
    nestedSections(),
    sectionOf('Vini', [dishOf('Frascati', { winery: 'Cantina Longhi' })]),
  ],
  {
    name: 'Enogastronomicamenteristorantissimo',
    logo_url: 'http://pictures.example/logo.svg',
    review_url: 'https://reviews.example/wide',
  },
);
wide.wineries = [wineryOf('Cantina Longhi', { website: 'https://longhi.example' })];
wide.theme = { ...trattoria.theme, header_style: 'minimal', font_url: '/fonts/own.css' };

const brief = restaurantOf(
  'brief',
  ['Al calice', 'Taglieri', 'Dolci'].map((name) => sectionOf(name, [dishOf(name)])),
);

/** It ends with letters that run from right to left: without isolation, what follows it would, too. */
const MIXED = 'Rosso יין';
const turned = restaurantOf(
  'turned',
  [sectionOf('Vini', [dishOf(MIXED, { allergens: ['solfiti'], winery: MIXED })])],
  {
    phone: '+39 ٠٦١٢٣',
    email: 'a?subject=x&body=y#z%@b.example',
    business_name: MIXED,
    vat_number: 'IT123',
  },
);
turned.wineries = [wineryOf(MIXED, { region: 'Lazio', country: 'Italia' })];

const pages = await displayPages([trattoria, wide, brief, turned]);

test('what a guest looks at last is told, although the page is left at once', async () => {
  const { context, page } = await pages.open('trattoria');
  // Answers that we intercept would not outlive the page.
  await context.unrouteAll();
  const isWorking = () => page.evaluate<boolean>('navigator.serviceWorker.controller !== null');
  await until('the worker looks after the page', isWorking);
  // The browser shows a dish's details before it tells the page's script of it.
  await page.evaluate(`void (window.heard = new Promise((resolve) =>
    document.addEventListener('toggle', resolve, { capture: true, once: true })))`);
  await page.locator('.dish summary').first().click();
  await page.evaluate('window.heard.then(() => true)');
  await page.goto('about:blank');
  await until('the event is taken', async () => (await pages.taken()).includes('item_view'));
});

test('the section that a guest has chosen is marked and told, as are all that are in view', async () => {
  const large = { viewport: { width: 1920, height: 1080 } };
  const opened = await pages.open('trattoria', large);
  const { context, page } = opened;
  await page.evaluate(`document.documentElement.dataset.layout = 'compact'`);
  const isTold = async ({ page, events }: OpenedPage, link: Locator) => {
    const [, id] = ((await link.getAttribute('href')) as string).split('-');
    // The page's clock must not have stopped before the browser has scrolled.
    await until('the section is told', async () => {
      await page.clock.runFor('00:06');
      return events.some((one) => one.type === 'section_view' && one.category_id === Number(id));
    });
  };
  for (const name of ['Contorni', 'Vini della casa', 'Primi piatti']) {
    const link = page.locator('#sections a', { hasText: name });
    await link.click();
    await page.locator('#sections [aria-current=true]', { hasText: name }).waitFor();
    await isTold(opened, link);
  }
  // A link that moves below the finger is missed.
  const motion = () => page.evaluate(`getComputedStyle(sections.firstElementChild).scrollBehavior`);
  assert.equal(await motion(), 'auto', 'nothing glides for who wants no motion');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  assert.equal(await motion(), 'smooth');
  await context.close();

  const small = await pages.open('brief');
  const marked = small.page.locator('#sections [aria-current=true]');
  assert.equal(await marked.innerText(), 'Al calice');
  for (const link of await small.page.locator('#sections a').all()) await isTold(small, link);
  await small.page.locator('#sections a', { hasText: 'Taglieri' }).click();
  assert.equal(await marked.innerText(), 'Taglieri');
});

test('a browser that remembers nothing is one visitor, and half an emoji is never sent', async () => {
  // No midnight comes meanwhile: a guest has another id on another day.
  const time = '2026-11-10T12:00:00Z';
  const { context, page, events, sent } = await pages.open('trattoria', { time });
  await context.addInitScript(`Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('denied', 'SecurityError'); },
  })`);
  await page.reload();
  await page.waitForSelector('.dish');
  events.length = 0;
  const query = `${'a'.repeat(199)}😀`;
  await page.fill('#search', `${query}b`);
  await page.clock.runFor('00:20');
  assert.equal((await sent({ type: 'search' })).query, query);
  assert.ok(events.length > 1);
  assert.equal(new Set(events.map(({ visitor_id }) => visitor_id)).size, 1);
});

test('a finished search tells once how many dishes fit, whatever allergens are avoided', async () => {
  const { page, events } = await pages.open('trattoria', { query: '?lang=it' });
  const told = () =>
    events.filter(({ type }) => type === 'search').map(({ query, results }) => [query, results]);
  const type = async (text: string) => {
    await page.fill('#search', '');
    await page.locator('#search').pressSequentially(text);
    await page.clock.runFor('00:20');
  };
  await type('Sushi');
  await until('the search is told', async () => told().length === 1);
  // A blank behind it changes nothing that is looked for.
  await page.locator('#search').press('Space');
  await page.clock.runFor('00:20');
  await page.click('#filter');
  for (const label of await page.locator('#choices label').all()) await label.click();
  assert.equal(await page.locator('.dish:visible').count(), 0);
  await type('carciofi');
  await until('the other search is told', async () => told().length === 2);
  const carciofi = await page.locator('.dish', { hasText: /carciofi/i }).count();
  assert.ok(carciofi > 0);
  assert.deepEqual(told(), [
    ['Sushi', 0],
    ['carciofi', carciofi],
  ]);
});

test('a browser that is older than its page shows the menu without a complaint', async () => {
  const { context, page } = await pages.open('trattoria');
  await context.addInitScript(`
    delete URL.canParse;
    delete AbortSignal.timeout;
    const { DateTimeFormat } = Intl;
    Intl.DateTimeFormat = function (locale, options) {
      if (options?.timeZone === 'Europe/Rome') throw new RangeError('no such zone');
      return new DateTimeFormat(locale, options);
    };
  `);
  await page.reload();
  await page.waitForSelector('.dish');
  await page.locator('#updated:not(:empty)').waitFor();
  assert.equal(await page.locator('#outage').textContent(), '');
});

test('while another language cannot be had, the time is that of the menu that is shown', async () => {
  const { context, page } = await pages.open('trattoria', { time: '2026-11-10T18:30:00Z' });
  await context.route(PAGE_CHECK, (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.locator('#languages a', { hasText: 'DE' }).click();
  const outage = page.locator('#outage:not(:empty)');
  await outage.waitFor();
  assert.match(await outage.innerText(), /questo è il menù delle \d\d:30\.$/);
  await page.clock.fastForward(96 * 3_600_000);
  await page.locator('#outage', { hasText: /delle \d\d:30 \(10 novembre\)\.$/ }).waitFor();
});

test('of several languages the one that was chosen last is shown', async () => {
  const { context, page } = await pages.open('trattoria');
  const choose = (code: string) => page.locator('#languages a', { hasText: code }).click();
  const isGerman = (request: Request) => /\?lang=de$/.test(request.url());
  await context.route(/\?lang=de$/, () => undefined);
  const overtaken = page.waitForEvent('requestfailed', isGerman);
  await choose('DE');
  const again = page.waitForResponse(/\?lang=it$/);
  await choose('IT');
  await again;
  await overtaken;
  assert.equal(await page.getAttribute('html', 'lang'), 'it');
  await choose('EN');
  await page.waitForSelector('html[lang=en]');
});

test('a page that was hidden asks at once, also when the clock was set back meanwhile', async () => {
  const time = '2026-11-10T12:00:00Z';
  const { page } = await pages.open('trattoria', { time });
  const hide = (hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await hide(true);
  await page.clock.runFor('02:00');
  await page.clock.setSystemTime('2026-11-10T10:00:00Z');
  const asked = page.waitForRequest(PAGE_CHECK);
  await hide(false);
  await asked;
});

test('long words, many languages and deep sections fit the narrowest phone and its user’s fingers', async () => {
  const { page } = await pages.open('wide', { viewport: { width: 320, height: 640 } });
  const root = 'document.documentElement';
  const fits = async (about: string) => {
    assert.equal(await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`), 0, about);
    const left = `Math.min(...[...document.querySelectorAll('#languages a')]
      .map((button) => button.getBoundingClientRect().left))`;
    assert.ok((await page.evaluate<number>(left)) >= 0, about);
  };
  for (const layout of ['classic', 'grid', 'compact', 'slides']) {
    await page.evaluate(`${root}.dataset.layout = '${layout}'`);
    await fits(layout);
    await checkHeadings(page, layout);
  }
  await page.evaluate(`${root}.dataset.layout = 'classic'`);
  const marks = `[...document.querySelectorAll('.marks')].filter((marks) =>
    marks.getBoundingClientRect().right > marks.closest('.name').getBoundingClientRect().right + 1)`;
  for (const [width, size] of [
    [320, ''],
    [390, '32px'],
  ] as const) {
    await page.setViewportSize({ width, height: 640 });
    await page.evaluate(`${root}.style.fontSize = '${size}'`);
    for (const header of ['left', 'centered', 'banner', 'minimal']) {
      await page.evaluate(`${root}.dataset.header = '${header}'`);
      await fits(`${header} ${size}`);
    }
    assert.equal(await page.evaluate(`${marks}.length`), 0, `marks ${size}`);
  }
  await page.evaluate(`${root}.style.fontSize = ''`);
  // A phone of 390 × 844 whose text is at 200 %: nothing of it stays in sight while the menu scrolls.
  await page.setViewportSize({ width: 195, height: 422 });
  await page.evaluate('scrollTo(0, 1500)');
  const covered = `Math.max(0, document.getElementById('bar').getBoundingClientRect().bottom)`;
  await until('the page does not scroll', () => page.evaluate<boolean>('scrollY > 1000'));
  assert.equal(await page.evaluate<number>(covered), 0);
  await page.evaluate('scrollTo(0, 0)');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.click('#filter');
  await page.locator('summary', { hasText: 'Frascati' }).click();
  const targets = '#languages a, #tools :is(input[type=search], button, label), #foot a, .more a';
  const small = await page.evaluate(`[...document.querySelectorAll('${targets}')]
    .filter((target) => target.offsetParent)
    .map((target) => [target.textContent, target.getBoundingClientRect()])
    .filter(([, { width, height }]) => width < 44 || height < 44)`);
  assert.deepEqual(small, []);
  for (const there of ['#choices label', '#review', '#foot a[href^=tel]', '.more a:visible']) {
    assert.ok((await page.locator(there).count()) > 0, there);
  }
  assert.equal(await page.getAttribute('#font', 'href'), '/fonts/own.css');
});

const turnedPage = await pages.open('turned', { query: '?lang=en' });

test('a text that turns round leaves what stands behind it where it is', async () => {
  const { page } = turnedPage;
  const lefts = async (selector: string) => {
    const boxes = await Promise.all(
      (await page.locator(selector).all()).map((part) => part.boundingBox()),
    );
    return boxes.map((box) => box?.x ?? Number.NaN);
  };
  for (const selector of ['.dish .own:not(.winery *), .marks', '.winery .own', '.business .own']) {
    const [first = Number.NaN, second = Number.NaN, ...others] = await lefts(selector);
    assert.ok(first <= second, `${selector}: ${first}, ${second}`);
    assert.deepEqual(others, [], selector);
  }
  assert.equal(await page.textContent('.business'), `${MIXED} · IT123`);
  assert.equal(await page.textContent('.winery'), `${MIXED} · Lazio, Italia`);
  // A section without a name in the reader's language says so in its link, too.
  assert.equal(await page.getAttribute('#sections a', 'lang'), 'it');
});

test('a letter goes to the whole address, and what is no number is not called', async () => {
  const { context, page, show } = turnedPage;
  await show('?lang=it');
  assert.match(await page.innerText('#foot address'), /٠٦١٢٣/);
  const links = await page.locator('#foot address a').all();
  assert.deepEqual(await Promise.all(links.map((link) => link.getAttribute('href'))), [
    'mailto:a%3Fsubject=x%26body=y%23z%25@b.example',
  ]);
  await context.close();
});

test('a change leaves the focus where it was, and asks again for a picture that failed', async () => {
  const { context, page } = await pages.open('wide');
  const focused = () => page.evaluate('document.activeElement.href');
  let charge = 0;
  const change = async () => {
    charge += 1;
    const text = `cover_charge_text = 'Coperto ${charge}'`;
    await pages.change('wide', `update settings set ${text} where tenant_id = $1`);
    await page.clock.fastForward('01:30');
    await page.locator('.charge', { hasText: `Coperto ${charge}` }).waitFor();
  };
  const picture = {
    contentType: 'image/svg+xml',
    body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  };
  await context.route('http://pictures.example/logo.svg', (route) => route.fulfill(picture));
  await page.locator('summary', { hasText: 'Frascati' }).click();
  for (const selector of ['#sections a >> nth=1', '.more a:visible', '#foot a[href^="mailto:"]']) {
    await page.focus(selector);
    const link = await focused();
    await change();
    assert.equal(await focused(), link, selector);
  }
  await page.locator('#logo:not([hidden])').waitFor({ state: 'attached' });
});

test('a cover that comes late moves nothing, and one that does not come leaves no gap', async () => {
  const { context, page } = await pages.open('brief');
  const menuTop = () => page.evaluate<number>("document.querySelector('#menu').offsetTop");
  const bare = await menuTop();
  const cover = async (address: string, charge = ''): Promise<Route> => {
    const asked = new Promise<Route>((resolve) => context.route(address.toLowerCase(), resolve));
    const set = `cover_image_url = '${address}', cover_charge_text = '${charge}'`;
    await pages.change('brief', `update settings set ${set} where tenant_id = $1`);
    await page.clock.fastForward('01:30');
    return asked;
  };
  const late = await cover('http://pictures.example/late.svg');
  const held = await menuTop();
  assert.ok(held > bare + 50, `${bare}, then ${held} px`);
  const body = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="700"/>';
  await late.fulfill({ contentType: 'image/svg+xml', body });
  // The page's policy allows no script that a test would have it wait with.
  await until('the cover is not there', () =>
    page.evaluate<boolean>("document.querySelector('#cover').naturalHeight > 0"),
  );
  assert.equal(await menuTop(), held);
  const lost = await cover('http://PICTURES.example/lost.svg');
  assert.equal(await menuTop(), held);
  await lost.abort();
  await page.locator('#cover[hidden]').waitFor({ state: 'attached' });
  assert.equal(await menuTop(), bare);
  const again = await cover('http://PICTURES.example/lost.svg', 'Coperto 2');
  assert.equal(await menuTop(), bare);
  await again.abort();
});
