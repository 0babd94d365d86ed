// The menu as a page, in a real browser against a real gateway.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  type DemoRestaurant,
  pizzeria,
  type SectionEntry,
  trattoria,
} from '../../db/operator/demo/restaurant.ts';
import { fontStack } from '../../gateway/theme/theme-css.ts';
import { barriersOf } from '../support/barriers.ts';
import { desk, dish, displayPages, phone } from '../support/display-pages.ts';
import { dishOf, oddTheme, restaurantOf, sectionOf } from '../support/restaurant.ts';

const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

/** A short menu that has one of everything, in another theme. */
function dressed(slug: string, theme: DemoRestaurant['theme']): DemoRestaurant {
  const { categories, items, types } = trattoria;
  const below = (parent?: SectionEntry) =>
    categories.filter((one) => one.parent_external_id === parent?.external_id);
  const [starters, , lunch] = below();
  const wines = below().find(({ menu_type }) => menu_type === 'wine');
  const top = [starters, lunch, wines].filter((one) => one !== undefined);
  const chosen = top.flatMap((one) => [one, ...below(one).slice(0, 1)]);
  const ids = chosen.map(({ external_id }) => external_id);
  return {
    ...trattoria,
    slug,
    theme,
    categories: chosen,
    types: types.filter(({ category_external_id }) => ids.includes(category_external_id)),
    items: ids.flatMap((id) =>
      items.filter(({ category_external_id }) => category_external_id === id).slice(0, 3),
    ),
  };
}

const light = dressed('light', trattoria.theme);
const dark = dressed('dark', pizzeria.theme);
const odd = dressed('odd', { ...oddTheme, secondary_color: '#777777' });
odd.settings = { ...odd.settings, recommended_label: '' };

const sly = dressed('sly', trattoria.theme);

/** Values that were stored before they were refused. */
const BAD = {
  odd: `update themes set font_url = 'javascript:alert(1)', font_family = 'x}</style>, "Comic Sans MS", sans-serif' where tenant_id = $1`,
  sly: `update themes set font_url = 'https://x;sandbox/a.css' where tenant_id = $1`,
  small: `update settings set review_url = 'javascript:alert(1)' where tenant_id = $1`,
};

const sweet = 'حلوى (50% سكر)';
const arabic = `${sweet}\nتقدم ساخنة`;
const small = restaurantOf(
  'small',
  [
    sectionOf('Cucina', [
      dishOf(attack, { allergens: ['latte'] }),
      dishOf('Caffè freddo', { description: { it: attack }, price: 1234.5 }),
    ]),
    sectionOf('Notte', {
      time_visibility: { start: '22:00', end: '02:00' },
      dishes: [dishOf('Spaghetti di mezzanotte', { price: 0 })],
    }),
    sectionOf('Sempre', {
      time_visibility: { start: '00:00', end: '00:00' },
      dishes: [dishOf('Acqua', { price: 1 }), dishOf('Bœuf Stroganoﬀ nach Gießener Art')],
    }),
    sectionOf(sweet, {
      notes: arabic,
      show_subcategories: true,
      types: [{ name: { it: sweet } }],
      dishes: [dishOf(sweet, { type: sweet, description: { it: arabic }, is_recommended: true })],
    }),
  ],
  {
    supported_locales: ['it'],
    recommended_label: '',
    allergen_info: arabic,
    cover_charge_text: arabic,
    address: arabic,
    business_name: sweet,
  },
);
small.theme = { ...small.theme, footer_text: arabic };

const pages = await displayPages([trattoria, pizzeria, light, dark, odd, sly, small]);
for (const [slug, bad] of Object.entries(BAD)) await pages.change(slug, bad);

test('browsers ask each time whether the page is good, and keep its files for good', async () => {
  const client = pages.client('trattoria');
  const page = (await client.send('/')).expect(200);
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(page.headers['cache-control'], 'no-cache');
  assert.match(page.headers['content-security-policy'] ?? '', /script-src 'self';/);
  const etag = page.headers.etag ?? '';
  (await client.send('/', { headers: { 'If-None-Match': etag } })).expect(304);
  assert.doesNotMatch(page.text, /<style|<script>|style="|onclick/);
  const files = [...page.text.matchAll(/(?:href|src)="(\/display\/[^"]+)"/g)].map(([, url]) => url);
  assert.ok(files.length > 5);
  for (const file of new Set(files)) {
    const asset = await client.send(file ?? '', { headers: { 'Accept-Encoding': 'br' } });
    assert.equal(asset.status, 200, file);
    assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable', file);
    // The theme's is short, and made while others wait; a picture is packed already.
    const encoding = /(\/theme\.css|\.png)$/.test(file ?? '') ? undefined : 'br';
    assert.equal(asset.headers['content-encoding'], encoding, file);
  }
  const other = await client.send('/display/other/display.js');
  assert.equal(other.headers['cache-control'], 'no-cache');
});

test('an address in the theme adds nothing to what the page may do', async () => {
  for (const slug of ['odd', 'sly']) {
    const { headers } = await pages.client(slug).send('/');
    assert.match(headers['content-security-policy'] ?? '', /; style-src 'self'; font-src 'self';/);
  }
});

test('the page has every font that the API takes, and nothing that ends its declaration', () => {
  const names = `P.T. Sans, 'Comic Sans MS', "-B_1'", Ame\u0301lie, cursive`;
  assert.equal(fontStack(names), "'P.T. Sans', 'Comic Sans MS', '-B_1', 'Ame\u0301lie', cursive");
  assert.equal(fontStack("x}, '', A\\"), 'system-ui, sans-serif');
});

test('other paths stay JSON, and unknown hosts have no menu', async () => {
  const client = pages.client('trattoria');
  for (const path of ['/nothing', '/display', '/display/x/nothing.js', '/display/../db']) {
    const answer = await client.send(path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.json.success, false, path);
  }
  assert.equal((await client.send('/', { method: 'POST' })).status, 405);
  (await pages.client('nessuno').send('/')).expect(404);
});

test('a guest sees sections, dishes, prices, wineries and allergens', async () => {
  const { page } = await pages.open('trattoria', { query: '?lang=de' });
  assert.equal(await page.title(), 'Trattoria da Iole · Speisekarte');
  assert.equal(await page.getAttribute('html', 'lang'), 'de');
  const carbonara = dish(page, 'Rigatoni alla carbonara');
  assert.match(await carbonara.locator('.price').innerText(), /^13,00\s€$/);
  const marks = '1\u2009\u2060·\u20093\u2009\u2060·\u20097';
  assert.equal(await carbonara.locator('.marks').innerText(), marks);
  assert.equal(await carbonara.locator('.tip').innerText(), 'Von Iole empfohlen');
  assert.equal(await carbonara.locator('.star').count(), 0);
  await carbonara.locator('summary').click();
  const contents = 'Enthält: Glutenhaltiges Getreide, Eier, Milch';
  assert.equal(await carbonara.locator('.more p').innerText(), contents);
  await carbonara.getByRole('button', { name: 'Teilen' }).waitFor();
  const wine = dish(page, 'Frascati Superiore');
  assert.match(await wine.locator('.winery').innerText(), /^Cantina Colle Sant'Anna · Lazio/);
  const kinds = await page.$$eval('main > section', (all) => all.map((one) => one.className));
  assert.equal(kinds.lastIndexOf('standard') < kinds.indexOf('wine'), true);
  assert.equal(await page.locator('#legend li').count(), 14);
  // A text without German says which language it is in.
  assert.equal(await page.locator('h2', { hasText: 'Fuori carta' }).getAttribute('lang'), 'it');
});

test('the language is the one asked for, else remembered, else the browser’s, else the default', async () => {
  const { context, page } = await pages.open('pizzeria', { locale: 'it-CH' });
  const lang = () => page.getAttribute('html', 'lang');
  assert.equal(await lang(), 'it');
  await page.locator('#languages a', { hasText: 'DE' }).click();
  await page.waitForSelector('html[lang=de]');
  assert.equal(await page.locator('h2').first().innerText(), 'Vorspeisen');
  assert.equal(await page.getAttribute('#languages [lang=de]', 'aria-current'), 'true');
  assert.match(page.url(), /\?lang=de$/);
  await page.goto(pages.urlOf('pizzeria'));
  await page.waitForSelector('.dish');
  assert.equal(await lang(), 'de');
  await page.goto(pages.urlOf('pizzeria', '?lang=it'));
  await page.waitForSelector('.dish');
  assert.equal(await lang(), 'it');
  await context.close();
  const stranger = await pages.open('pizzeria', { locale: 'pt-BR' });
  assert.equal(await stranger.page.getAttribute('html', 'lang'), 'de');
});

test('search and allergen filter hide dishes, say how many, and leave no empty section', async () => {
  const { page } = await pages.open('trattoria', phone);
  const shown = () => page.locator('.dish:visible').count();
  const all = await shown();
  await page.fill('#search', 'PUNTÀRELLE');
  assert.equal(await shown(), 1);
  assert.equal(await page.locator('main > section:visible').count(), 1);
  assert.equal(await page.innerText('#found'), `Piatti mostrati: 1 (nascosti: ${all - 1})`);
  const section = await page.locator('main > section:visible').getAttribute('id');
  const links = page.locator('#sections a:visible');
  assert.equal(await links.count(), 1);
  assert.equal(await links.getAttribute('href'), `#${section}`);
  await page.fill('#search', 'xyzzy');
  assert.equal(await page.isVisible('#sections'), false);
  assert.match(await page.innerText('#found'), /^Nessun piatto corrisponde\./);
  await page.fill('#search', '');
  assert.equal(await page.innerText('#found'), '');
  // The page does not observe absent elements, and empty elements take no room.
  const heights = `['#tools', '#search'].map((part) => document.querySelector(part).offsetHeight)`;
  const [tools, search] = await page.evaluate<number[]>(heights);
  assert.equal(await page.locator('#found').evaluate((found) => found.getClientRects().length), 1);
  assert.equal(tools, search);
  assert.equal(await links.count(), await page.locator('main > section').count());

  await page.click('#filter');
  await page.locator('#choices label', { hasText: 'Latte' }).click();
  await page.locator('#choices label', { hasText: 'Uova' }).click();
  for (const marks of await page.locator('.dish:visible .marks').allInnerTexts()) {
    const numbers = marks.split(/\D+/).map(Number);
    assert.ok(!numbers.includes(7) && !numbers.includes(3), marks);
  }
  assert.ok((await shown()) > 0 && (await shown()) < all);
  assert.equal(await page.getAttribute('#filter', 'data-count'), '2');
  await page.locator('#choices button').click();
  assert.equal(await shown(), all);
});

const shared = await pages.open('small');

test('a text of the restaurant’s keeps its lines and runs as its letters do', async () => {
  const { page } = shared;
  const directions = await page.evaluate<[string, string][]>(`
    [...document.querySelectorAll('body *')]
      .filter(({ childNodes: [text] }) => /^\\p{Script=Arabic}/u.test(text?.data))
      .map((part) => [part.outerHTML, getComputedStyle(part).direction])`);
  assert.equal(directions.length, 11);
  for (const [part, direction] of directions) assert.equal(direction, 'rtl', part);
  const several = ['#address', '.notes', '.recommended .description', '#legend p', '.charge'];
  for (const lines of [...several, '.words']) {
    assert.equal(await page.innerText(lines), arabic, lines);
  }
  const recommended = page.locator('.recommended');
  assert.equal(await recommended.getByRole('img', { name: 'Consigliato' }).count(), 1);
  assert.equal(await recommended.locator('.tip').count(), 0);
});

test('a text of the menu stays text, and an address that runs script is no link', async () => {
  const { context, page } = shared;
  assert.equal(await page.title(), 'small · Menù');
  assert.ok((await dish(page, attack).first().innerText()).includes(attack));
  assert.equal(await page.locator('main img, main script').count(), 0);
  assert.equal(await page.locator('#review').count(), 0);
  assert.match(await dish(page, 'Caffè freddo').innerText(), /1234,50\s€|1\.234,50\s€/);
  // With one language there is nothing to choose.
  assert.equal(await page.locator('#languages').isVisible(), false);
  await page.fill('#search', 'BŒUF stroganoff giessener');
  assert.equal(await page.locator('.dish:visible').count(), 1);
  await context.close();
});

test('sections keep to the restaurant’s hours, also past midnight', async () => {
  // 23:30 in Rome; the browser is in another time zone.
  const night = { time: '2026-06-01T21:30:00Z', timezoneId: 'America/New_York' };
  const open = await pages.open('small', night);
  const section = (page: Page) => page.locator('section', { hasText: 'mezzanotte' });
  assert.match(await section(open.page).locator('.hours').innerText(), /22:00.–.02:00$/);
  assert.doesNotMatch((await section(open.page).getAttribute('class')) ?? '', /closed/);
  await open.page.clock.fastForward('03:00:00');
  await open.page.waitForSelector('section.closed');
  assert.match(await section(open.page).locator('.hours').innerText(), /ora non disponibile$/);
  await open.page.emulateMedia({ media: 'print' });
  assert.match(await section(open.page).locator('.hours').innerText(), /22:00.–.02:00$/);
  await open.page.emulateMedia({ media: 'screen' });
  const whole = open.page.locator('section', { hasText: 'Acqua' });
  assert.doesNotMatch((await whole.getAttribute('class')) ?? '', /closed/);
  await open.context.close();
  const noon = { ...night, time: '2026-06-01T10:00:00Z', query: '?screen=1' };
  const screen = await pages.open('small', noon);
  assert.equal(await section(screen.page).isVisible(), false);
});

test('a keyboard reaches everything', async () => {
  const { page } = await pages.open('trattoria');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.id'), 'skip');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'SUMMARY');
  await page.keyboard.press('Enter');
  await page.locator('.more').first().waitFor();
  await page.focus('#filter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  assert.equal(await page.isChecked('#choices input >> nth=0'), true);
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('#choices'), false);
  assert.equal(await page.evaluate('document.activeElement.id'), 'filter');
  const sign = (dish: string) =>
    page.evaluate(
      `getComputedStyle(document.querySelector('${dish} .name > span'), '::after').clipPath`,
    );
  const open = await sign('details[open]');
  assert.match(String(open), /^polygon/);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await sign('details[open]'), 'none');
  await page.emulateMedia({ media: 'screen' });
  assert.notEqual(await sign('details:not([open])'), open);
});

test('a screen on the wall turns its pages, pauses, and tells nothing about guests', async () => {
  const moving = { reducedMotion: 'no-preference' as const, time: '2026-06-01T10:30:00Z' };
  const wall = { viewport: { width: 1920, height: 1080 }, ...moving };
  const { page, events } = await pages.open('trattoria', { query: '?screen=1', ...wall });
  // A slow machine must not turn pages in between.
  await page.clock.pauseAt('2026-06-01T10:32:00Z');
  const present = () => page.locator('main > section:not(.off)');
  const title = () => present().locator('h2').first().innerText();
  const first = await title();
  assert.equal(await present().count(), 1);
  const flow = present().locator('.flow').first();
  const isCut = await flow.evaluate((one) => one.scrollHeight > one.clientHeight + 2);
  assert.equal(isCut, false, 'every dish is whole');
  await page.mouse.move(300, 300);
  assert.equal(await page.locator('#way-out').count(), 0);
  const opacity = () => page.evaluate(`getComputedStyle(document.querySelector('#pause')).opacity`);
  assert.equal(await opacity(), '0');
  await page.mouse.down();
  assert.equal(await opacity(), '1', 'a finger finds the button');
  const sign = `getComputedStyle(document.querySelector('summary .name > span'), '::after').content`;
  assert.equal(await page.evaluate(sign), 'none', 'nothing can be opened here');
  await page.clock.runFor('01:00');
  assert.notEqual(await title(), first);
  assert.equal(await opacity(), '0');
  await page.keyboard.press('Space');
  const paused = await title();
  await page.clock.runFor('05:00');
  assert.equal(await title(), paused);
  assert.deepEqual(events, []);
  assert.equal(await page.evaluate('document.documentElement.scrollHeight'), 1080);
  await page.emulateMedia({ media: 'print' });
  const all = page.locator('main > section');
  assert.equal(await page.locator('main > section:visible').count(), await all.count());
  assert.equal(await page.isVisible('#pause'), false);
  assert.ok((await page.evaluate<number>('document.documentElement.scrollHeight')) > 1_200);
});

test('every text can be read and every part has its role, whatever the theme and the layout', async () => {
  const layouts = ['classic', 'grid', 'compact', 'slides'];
  const headers = ['left', 'centered', 'banner', 'minimal'];
  for (const [index, slug] of ['light', 'dark', 'odd', 'odd'].entries()) {
    const style = `layout_variant = '${layouts[index]}', header_style = '${headers[index]}'`;
    await pages.change(slug, `update themes set ${style} where tenant_id = $1`);
    const { context, page } = await pages.open(slug, index % 2 ? phone : { viewport: desk });
    await page.waitForSelector(`html[data-layout=${layouts[index]}]`);
    const left = (part: string) =>
      page.evaluate<number>(`document.querySelector('${part}').getBoundingClientRect().left`);
    if (headers[index] === 'left') assert.equal(await left('#name'), await left('.dishes'));
    await page.click('#filter');
    await page.locator('#choices label').first().click();
    // The choice lies over the dishes.
    await page.keyboard.press('Escape');
    await page.locator('.dish:visible summary').first().click();
    await page.click('#filter');
    assert.deepEqual(await barriersOf(page), [], `${slug} ${layouts[index]}`);
    const root = 'document.documentElement';
    const overflow = await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`);
    assert.equal(overflow, 0, 'nothing sticks out');
    await context.close();
  }
});
