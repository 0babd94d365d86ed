// Hangs six screens for a day of simulated time, with changes, closures, outages and power cuts. At
// each moment their pages have to agree with the rows of the database. MOMENTS are 200 by default.
// node --import tsx test/run.ts test/browser/screens-day.ts
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createRandom } from '../../bench/load/random.ts';
import { perform } from '../../db/actions/action.ts';
import { addScreen } from '../../db/actions/screens.ts';
import { publishVersion } from '../../db/menu/new-version.ts';
import { DAY } from '../../db/runtime/day.ts';
import type { ScreenSettings } from '../../db/schema/screen.ts';
import { findScreen, saveScreen } from '../../db/sql/screens.ts';
import { guestTexts } from '../../db/texts/catalogues.ts';
import {
  createDisplayPages,
  type DisplayPages,
  type OpenedPage,
  untilLaidOut,
} from '../support/display-pages.ts';
import { operatorContext } from '../support/operator-context.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { seed } from '../support/seed.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';

const MOMENTS = Number(process.env.MOMENTS ?? 200);
const SLUG = 'giornata';
const MINUTE = 60_000;
/** Five in the morning of a Monday in Rome. */
const BEGIN = Date.parse('2026-06-01T03:00:00Z');
const TODAY = '2026-06-01';
/** When the house opens and closes, in minutes of the day. */
const [OPENS, CLOSES] = [11 * 60, 23 * 60 + 30];
/** The least and the most age, in minutes, between which a menu may or may not tell its age. */
const [YOUNG, OLD] = [55, 70];
/** The events take turns, so that a short run has each of them. */
const EVENTS = [
  ...['change', 'power', 'network', 'settings', 'closure', 'closure'],
  ...['gateway', 'change', 'power', 'network', 'gateway', 'change'],
] as const;

const section = (name: string, count: number, hours?: { start: string; end: string }) =>
  sectionOf(name, {
    ...(hours && { time_visibility: hours }),
    dishes: Array.from({ length: count }, (_, n) => dishOf(`${name} ${n + 1}`, { price: 8 + n })),
  });
const menu = restaurantOf(
  SLUG,
  [
    section('Sempre', 14),
    section('Pranzo', 9, { start: '12:00', end: '15:00' }),
    section('Cena', 12, { start: '19:00', end: '23:00' }),
  ],
  {
    supported_locales: ['it', 'de'],
    timezone: 'Europe/Rome',
    opening_hours: [{ weekdays: null, time_start: '11:00', time_end: '23:30' }],
    closures: [],
  },
);

/** The menu and the settings of a screen as the database has them. */
interface Truth {
  dishes: { id: number; section: number; from: string | null; to: string | null; shown: string }[];
  closed: boolean;
  settings: ScreenSettings;
}
interface Screen extends Pick<OpenedPage, 'context'> {
  name: string;
  id: number;
  page: Page;
  isOnline: boolean;
  /** The truth when it had a connection last, and when that was by its own clock. */
  known: Truth;
  seenAt: number;
}
interface Shown {
  now: number;
  lang: string;
  dishes: string[];
  rest: string;
  outage: string;
  resting: boolean;
}

/** Turns the pages backwards until the first comes again; each dish as its number, price and state. */
const READ = `(() => {
  const visible = () => [...document.querySelectorAll('.dish')].filter((one) => one.offsetParent);
  const text = (one) => [one.id, one.querySelector('.price').textContent.replace(/[^0-9,]/g, ''),
    one.classList.contains('sold-out')].join();
  const pages = [];
  for (let turn = 0; turn < 60; turn += 1) {
    const page = visible().map(text);
    if (page.length === 0 || pages.some(([first]) => first === page[0])) break;
    pages.push(page);
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
  }
  const nothing = document.querySelector('.nothing');
  return {
    now: Date.now(), lang: document.documentElement.lang, dishes: pages.flat().sort(),
    rest: nothing?.offsetParent ? nothing.textContent : '',
    outage: document.getElementById('outage').textContent,
    resting: document.documentElement.classList.contains('resting'),
  };
})()`;
/** Whether the copy for power cuts is of the version that is shown. */
const IS_KEPT = `caches.match('/screen').then((copy) => copy?.text()).then((text) =>
  text?.includes('data-version="' + document.documentElement.dataset.version + '"') ?? false)`;

let pages: DisplayPages;
const screens: Screen[] = [];
const { below, pick } = createRandom(seed);
let isServed = true;

const sql = (text: string) => runSql(pages.databaseUrl, text, [pages.tenantId(SLUG)]);

async function readTruth(id: number): Promise<Truth> {
  const tenantId = pages.tenantId(SLUG);
  const rows = await sql(`select d.id, s.id as section, s.time_start as "from", s.time_end as "to",
      d.price::float as price, d.sold_out_until is not null as sold
    from dishes d join sections s on s.tenant_id = d.tenant_id and s.id = d.category_id
    where d.tenant_id = $1 and d.is_active order by s.display_order, d.display_order, d.id`);
  const [{ closed }] = await sql(
    'select closures <> $$[]$$::jsonb as closed from settings where tenant_id = $1',
  );
  const screen = await findScreen(pages.db, tenantId, id);
  assert.ok(screen);
  const dishes = rows.map(({ price, sold, ...row }) => {
    const shown = `dish-${row.id},${price.toFixed(2).replace('.', ',')},${sold}`;
    return { ...row, shown } as Truth['dishes'][number];
  });
  return { dishes, closed, settings: screen };
}

/** Changes rows of the restaurant, and gives it a new version. */
async function publish(statement: string): Promise<void> {
  const tenantId = pages.tenantId(SLUG);
  await sql(statement);
  await pages.db.transaction((tx) => publishVersion(tx, tenantId));
}

async function addScreens(all: readonly (readonly [string, Partial<ScreenSettings>])[]) {
  for (const [name, settings] of all) {
    const { context, page } = await pages.open(SLUG, {
      ...{ query: 'screen', viewport: { width: 1280, height: 720 }, live: true },
      ...{ time: new Date(BEGIN).toISOString(), until: '.letters' },
    });
    const tenantId = pages.tenantId(SLUG);
    const code = await page.innerText('.letters');
    const at = operatorContext(pages.db, tenantId, SLUG);
    const { id } = (await perform(addScreen, at, { name, code })).result;
    const screen = await findScreen(pages.db, tenantId, id);
    assert.ok(screen);
    await saveScreen(pages.db, tenantId, id, { ...screen, ...settings });
    await page.goto(pages.urlOf(SLUG, 'screen'));
    const known = await readTruth(id);
    screens.push({ name, id, context, page, isOnline: true, known, seenAt: BEGIN });
  }
}

async function hangScreens(): Promise<void> {
  pages = await createDisplayPages([menu], { keepsHours: true });
  await addScreens([
    ['whole', {}],
    ['lunch', { columns: 1 }],
    ['languages', { languages: ['it', 'de'] }],
    ['left', { part: 1, parts: 2 }],
    ['right', { part: 2, parts: 2 }],
    ['available', { hide_sold_out: true, orientation: 'portrait' }],
  ]);
}

after(() => pages?.stop());

const events: Record<(typeof EVENTS)[number], () => Promise<void>> = {
  change: () => {
    const nth = `order by id offset ${below(35)} limit 1`;
    const dish = `id = (select id from dishes where tenant_id = $1 ${nth})`;
    const what = pick([
      `price = ${(5 + below(900) / 100).toFixed(2)}`,
      `sold_out_until = case when sold_out_until is null then 'infinity'::timestamptz end`,
      'is_active = not is_active',
    ]);
    return publish(`update dishes set ${what} where tenant_id = $1 and ${dish}`);
  },
  closure: () =>
    publish(`update settings set closures = case when closures = '[]' then
      '[{"date_start": "${TODAY}", "date_end": null, "text": "", "text_translations": {}}]'::jsonb
      else '[]' end where tenant_id = $1`),
  settings: async () => {
    const { id } = pick(screens.slice(0, 2));
    const tenantId = pages.tenantId(SLUG);
    const screen = await findScreen(pages.db, tenantId, id);
    assert.ok(screen);
    const [one] = await sql('select id from sections where tenant_id = $1 order by id limit 1');
    const section_ids = screen.section_ids.length > 0 ? [] : [one.id];
    const hide_sold_out = !screen.hide_sold_out;
    await saveScreen(pages.db, tenantId, id, { ...screen, section_ids, hide_sold_out });
  },
  network: async () => {
    const screen = screens.find(({ isOnline }) => !isOnline) ?? pick(screens);
    screen.isOnline = !screen.isOnline;
    await screen.context.setOffline(!screen.isOnline);
  },
  gateway: async () => {
    isServed = !isServed;
    await (isServed ? pages.restartGateway() : pages.stopGateway());
  },
  power: async () => {
    const screen = pick(screens);
    const time = await screen.page.evaluate<number>('Date.now()');
    await screen.page.close();
    screen.page = await screen.context.newPage();
    await screen.page.clock.install({ time });
    await screen.page.goto(pages.urlOf(SLUG, 'screen'));
    await untilLaidOut(screen.page);
  },
};

/** The minute of the day in Rome, in summer. */
const minuteOf = (now: number) => (Math.floor(now / MINUTE) + 120) % 1_440;
const inMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The sentence of a house that is closed, or null while it is open. */
function restText({ now, lang }: Shown, { closed }: Truth): string | null {
  const minute = minuteOf(now);
  const day = new Date(now + 120 * MINUTE).toISOString().slice(0, 10);
  const isClosedToday = closed && day === TODAY;
  if (!isClosedToday && minute >= OPENS && minute < CLOSES) return null;
  const { page } = guestTexts(lang === 'de' ? 'de' : 'it');
  if (!isClosedToday && minute < OPENS) return page.opensAt.replace('{time}', '11:00');
  const tomorrow = new Intl.DateTimeFormat(lang, { weekday: 'long', timeZone: 'Europe/Rome' });
  const text = page.opensOn.replace('{day}', tomorrow.format(now + DAY));
  return text.replace('{time}', '11:00');
}

/** The dishes of a screen without its part, in their order. */
function wantedDishes({ now }: Shown, { dishes, settings }: Truth): string[] {
  const minute = minuteOf(now);
  return dishes
    .filter(({ from, to }) => !from || !to || (minute >= inMinutes(from) && minute < inMinutes(to)))
    .filter(
      ({ section: id }) => settings.section_ids.length === 0 || settings.section_ids.includes(id),
    )
    .filter(({ shown }) => !settings.hide_sold_out || shown.endsWith('false'))
    .map(({ shown }) => shown);
}

/** The first difference between what a screen shows and what it ought to; null when it is right. */
function difference(shown: Shown, truth: Truth): string | null {
  const rest = restText(shown, truth);
  if (rest !== null) {
    const isRight = shown.rest === rest && shown.resting && shown.dishes.length === 0;
    return isRight ? null : `shows ${JSON.stringify(shown)} for “${rest}”`;
  }
  const { part, parts, languages } = truth.settings;
  if (languages.length > 0 && !languages.includes(shown.lang)) return `is in ${shown.lang}`;
  const all = wantedDishes(shown, truth);
  const count = shown.dishes.length;
  const isShare =
    parts === 1 ? count === all.length : count >= all.length / 4 && count < all.length;
  const wanted = part === 1 ? all.slice(0, count) : all.slice(all.length - count);
  const isRight = isShare && wanted.sort().join(' ') === shown.dishes.join(' ');
  return isRight
    ? null
    : `shows ${shown.dishes.join(' ')} for ${wanted.join(' ')} of ${all.length}`;
}

/** Waits until a screen shows the right thing. */
async function check(screen: Screen, moment: number): Promise<Shown> {
  const isConnected = screen.isOnline && isServed;
  if (isConnected) screen.known = await readTruth(screen.id);
  let shown: Shown | undefined;
  let wrong: string | null = 'was not read';
  await until(`moment ${moment}, ${screen.name}`, async () => {
    shown = await screen.page.evaluate<Shown>(READ);
    wrong = difference(shown, screen.known);
    if (isConnected && shown.outage !== '') wrong = shown.outage;
    return wrong === null;
  }).catch((error) => {
    throw new Error(`${error.message} ${wrong}`);
  });
  assert.ok(shown);
  const minutes = (shown.now - screen.seenAt) / MINUTE;
  if (isConnected) {
    screen.seenAt = shown.now;
    await until(`${screen.name} keeps no copy`, () => screen.page.evaluate<boolean>(IS_KEPT));
  } else if (minutes < YOUNG) assert.equal(shown.outage, '', `${screen.name} after ${minutes} min`);
  else if (minutes > OLD) {
    await until(`${screen.name} does not tell its age after ${minutes} min`, async () =>
      /Nessuna connessione|Keine Verbindung/.test(await screen.page.innerText('#outage')),
    );
  }
  return shown;
}

test(`six screens show the right thing at ${MOMENTS} moments of a day`, async (t) => {
  await hangScreens();
  const counts = { rests: 0, dishes: 0, away: 0, languages: new Set<string>() };
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    if (moment > 0) await events[EVENTS[moment % EVENTS.length] ?? 'change']();
    // Not where a section or the house opens or closes: there two screens may differ for some seconds.
    const even = BEGIN + (moment * DAY) / MOMENTS;
    const beside = minuteOf(even) % 30;
    const target = even + (beside < 3 ? 3 - beside : beside > 26 ? 33 - beside : 0) * MINUTE;
    for (const { page } of screens) {
      const ahead = target - (await page.evaluate<number>('Date.now()'));
      if (ahead > 0) await page.clock.fastForward(ahead);
    }
    for (const screen of screens) {
      const shown = await check(screen, moment);
      if (shown.resting) counts.rests += 1;
      else counts.dishes += shown.dishes.length;
      if (!screen.isOnline || !isServed) counts.away += 1;
      counts.languages.add(shown.lang);
    }
  }
  const { rests, dishes, away, languages } = counts;
  t.diagnostic(
    `${MOMENTS * screens.length} looks: ${rests} at rest, ${away} without a connection, ${dishes} dishes`,
  );
  assert.ok(rests > 0 && dishes > 0 && away > 0);
  assert.ok(MOMENTS < 100 || languages.size === 2, 'the languages take turns');
});
