import assert from 'node:assert/strict';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { publishVersion } from '../../db/menu/new-version.ts';
import type { DemoRestaurant } from '../../db/operator/demo/restaurant.ts';
import { certain } from '../../db/runtime/certain.ts';
import { queues } from '../../db/schema/queues.ts';
import { closingPages, connectBrowser, waitForPage } from './browser.ts';
import { forFile } from './for-file.ts';
import { startTestGateway } from './gateway.ts';
import { openMenuService } from './menu-service.ts';
import type { OwnParts } from './own-parts.ts';
import { until } from './until.ts';

export const desk = { width: 1280, height: 900 };
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};

export interface OpenedPage {
  context: BrowserContext;
  page: Page;
  /** Events that the page has sent. */
  events: Record<string, unknown>[];
  /** Resolves when an event that `fits` has been sent; fails when none comes. */
  sent: (fits: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /**
   * Goes to an address of the same restaurant, at half the cost of another browser: for tests to
   * which the page's past does not matter.
   */
  show: (query?: string) => Promise<void>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Of the page's address, with its question mark. */
  query?: string;
  /** At which the page's clock begins. */
  time?: string;
  /** Whether the page may open the stream of versions; by default it has to poll. */
  live?: boolean;
  /** The element that must be visible before the page counts as open; by default a dish. */
  until?: string;
}

export type DisplayPages = Awaited<ReturnType<typeof createDisplayPages>>;

/** A guest's page, or a screen that has divided the menu into its pages. */
const LAID_OUT = 'html:not(.screen), html[data-laid-out]';

/**
 * Resolves when the shown page is laid out. On a slow machine a screen shows its dishes three seconds
 * after it was opened, before they are divided into pages.
 */
export async function untilLaidOut(page: Page): Promise<void> {
  await page.waitForSelector(LAID_OUT, { state: 'attached' });
}

/** The address at which a page asks for what is new. */
export const PAGE_CHECK = /\/\?lang=\w\w$/;

/** The dish whose name or description has this text. */
export function dish(page: Page, text: string): Locator {
  return page.locator('.dish', { hasText: text });
}

/**
 * The widths of the first name with marks, without lines that are made even, at which these stand on
 * another line than its last letter. Each has room for the last word with the marks.
 */
export const LONE_MARKS = `(() => {
  const name = [...document.querySelectorAll('.dish .name')]
    .find((one) => one.offsetParent && one.querySelector('.marks'));
  const mark = name.querySelector('.marks');
  const text = name.querySelector('.own').firstChild;
  const last = document.createRange();
  last.setStart(text, text.length - 1);
  last.setEnd(text, text.length);
  name.style.display = 'block';
  name.style.flex = 'none';
  name.style.textWrap = 'wrap';
  const whole = name.firstElementChild.offsetWidth;
  const apart = [];
  for (let width = whole + 20; width > whole * 0.8; width -= 1) {
    name.style.width = width + 'px';
    const [letter, sign] = [last, mark].map((one) => one.getBoundingClientRect());
    if ((sign.top + sign.bottom) / 2 > letter.bottom) apart.push(width);
  }
  name.removeAttribute('style');
  return apart;
})()`;

/**
 * No heading of `nestedSections` is smaller than the dishes' names below it, and each level is told
 * from the one above.
 */
export async function checkHeadings(page: Page, layout: string): Promise<void> {
  type Level = Record<'heading' | 'type' | 'dish' | 'inset', number>;
  const levels = await page.evaluate<Level[]>(`
    [...document.querySelectorAll('main section')]
      .filter((section) => /^Livello/.test(section.querySelector('.heading').textContent))
      .map((section) => {
        const size = (selector) =>
          Number.parseFloat(getComputedStyle(section.querySelector(selector)).fontSize);
        const inset = Number.parseFloat(getComputedStyle(section).paddingInlineStart);
        return { heading: size('.heading > *'), type: size('.type'), dish: size('.name'), inset };
      })`);
  assert.ok(levels.length > 6);
  for (const [index, { heading, type, dish, inset }] of levels.entries()) {
    const about = `${layout}, level ${index + 1}: ${heading}, ${type} and ${dish} px`;
    assert.ok(heading >= dish && type >= dish, about);
    const above = levels[index - 1];
    assert.ok(!above || heading < above.heading || inset > 0, about);
  }
}

/** A wall shows the menu of a restaurant that states no hours whenever the test runs. */
function withoutHours({ settings, ...restaurant }: DemoRestaurant): DemoRestaurant {
  const { opening_hours, closures, ...rest } = settings as Record<string, unknown>;
  return { ...restaurant, settings: rest as DemoRestaurant['settings'] };
}

/**
 * Restaurants, a gateway that serves them and a browser that looks at them. Takes what
 * `openMenuService` takes.
 *
 * @param keepsHours whether the restaurants keep their opening hours
 */
export async function createDisplayPages(
  restaurants: readonly DemoRestaurant[],
  { keepsHours = false, ...own }: OwnParts & { keepsHours?: boolean } = {},
) {
  const shown = (one: DemoRestaurant) => (keepsHours ? one : withoutHours(one));
  const service = await openMenuService(restaurants.map(shown), own);
  const { databaseUrl, sql, db } = service;
  let { gateway } = service;
  const browser = await connectBrowser();
  const tenantId = (slug: string) => certain(service.ids.get(slug), slug);
  const urlOf = (slug: string, query = '') => `http://${slug}.localhost:${gateway.port}/${query}`;

  /** Opens a restaurant's page in a browser without a past. */
  const open = async (slug: string, options: OpenOptions = {}): Promise<OpenedPage> => {
    const { query = '', time, live = false, until: selector = '.dish', ...rest } = options;
    // The bar of a wall would have the whole page painted sixty times a second.
    const usual = { viewport: desk, locale: 'it-IT', reducedMotion: 'reduce' as const };
    const context = await browser.newContext({ ...usual, ...rest });
    context.setDefaultTimeout(60_000);
    const events: OpenedPage['events'] = [];
    await context.route('**/api/v1/analytics/events', async (route) => {
      events.push(...(route.request().postDataJSON() as { events: OpenedPage['events'] }).events);
      await route.fulfill({ status: 202, json: { success: true } });
    });
    // The demo restaurants' pictures and fonts are on servers that do not exist.
    await context.route(/\.example\//, (route) => route.abort());
    if (!live) await context.route('**/display/stream', (route) => route.fulfill({ status: 503 }));
    const page = await context.newPage();
    await page.clock.install(time === undefined ? {} : { time });
    const show = async (query = '') => {
      await page.goto(urlOf(slug, query));
      await page.waitForSelector(selector);
      if (rest.javaScriptEnabled === false) return;
      await waitForPage(page);
      await untilLaidOut(page);
    };
    await show(query);
    const sent: OpenedPage['sent'] = async (fits) => {
      const find = () =>
        events.find((one) => Object.entries(fits).every(([name, value]) => one[name] === value));
      await until(`no event like ${JSON.stringify(fits)}`, async () => find() !== undefined);
      return find() as Record<string, unknown>;
    };
    return { context, page, events, sent, show };
  };

  /** Changes a restaurant by a statement about its id; resolves when the gateway serves it. */
  const change = async (slug: string, statement: string): Promise<void> => {
    const id = tenantId(slug);
    const etag = async () => (await gateway.client(slug).get('/menu')).headers.etag;
    const former = await etag();
    await sql(statement, [id]);
    await db.transaction((tx) => publishVersion(tx, id));
    await until('the change is not served', async () => (await etag()) !== former);
  };

  return {
    ...{ browser, urlOf, db, databaseUrl, tenantId, open, change },
    client: (slug: string) => gateway.client(slug),
    /** The gateway's metrics. */
    metrics: async () => (await fetch(`http://127.0.0.1:${gateway.opsPort}/metrics`)).text(),
    /** The types of the events that the gateway has taken. */
    taken: async (): Promise<string[]> => {
      const text = 'select data from pgboss.job where name = $1';
      return (await sql(text, [queues.analyticsEvents])).flatMap(({ data }) => data.type);
    },
    stopGateway: () => gateway.stop(),
    /** Starts it again on the port that it had. */
    restartGateway: async () => {
      gateway = await startTestGateway(databaseUrl, { PORT: String(gateway.port) });
    },
    stop: async () => {
      await browser.close();
      if (gateway !== service.gateway) await gateway.stop();
      await service.stop();
    },
  };
}

/** The same, stopped with the tests of the file. Pages that a test opens are closed with it. */
export const displayPages = forFile(async (...args: Parameters<typeof createDisplayPages>) =>
  closingPages(await createDisplayPages(...args)),
);
