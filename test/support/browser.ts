import { afterEach, beforeEach } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { createGate } from './gate.ts';

/** Without a bound, a connection that hangs says nothing. */
const CONNECT_BOUND_MS = 120_000;

/** Connects to the browser of the run; what a test file opens in it closes with the connection. */
export function connectBrowser(): Promise<Browser> {
  const address = process.env.TEST_BROWSER;
  if (!address) throw new Error('run this file with: node --import tsx test/run.ts <file>');
  return chromium.connect(address, { timeout: CONNECT_BOUND_MS });
}

/** Closes the pages that a test of the file opens when it ends; those that it found stay. */
export function closingPages<Pages extends { browser: Browser }>(pages: Pages): Pages {
  const found = new Set<BrowserContext>();
  const opened = () => pages.browser.contexts().filter((context) => !found.has(context));
  beforeEach(() => {
    for (const context of opened()) found.add(context);
  });
  afterEach(async () => {
    await Promise.all(opened().map((context) => context.close()));
  });
  return pages;
}

/**
 * A page that will not stay as it is: its own script has not run yet, or it has sent a form, whose
 * answer is another page. It says both itself.
 */
const ON_ITS_WAY = 'html:has(script[src]):not([data-begun]), html:has(form[aria-busy="true"])';

/** Resolves when the shown page is whole, its script has run, and none of its forms is on its way. */
export async function waitForPage(page: Page): Promise<void> {
  await page.locator(ON_ITS_WAY).waitFor({ state: 'detached' });
  // The first part of a page has no script yet.
  await page.waitForLoadState('domcontentloaded');
}

/**
 * Does what leads to another page, such as a click on a link or on the button of a form, and waits
 * until that page is there. Otherwise a test may read the page that it leaves, which often has the
 * same fields and messages.
 */
export async function opens(page: Page, act: () => Promise<unknown>): Promise<void> {
  // Events of the page that is shown do not count.
  await page.waitForLoadState();
  await Promise.all([page.waitForEvent('load'), act()]);
}

/** Lets requests of a page wait until the function that it returns is called. */
export async function holdRequests(page: Page, pattern: string): Promise<() => void> {
  const { opened, open } = createGate();
  await page.route(pattern, async (route) => {
    await opened;
    await route.continue();
  });
  return open;
}

/**
 * Opens a tab in which every action, and every script of the test, waits for the page as `waitForPage`
 * does, whichever way the test came to it. Reads do not wait: `opens` is for them.
 *
 * @param hasScript false where the context runs no script
 */
export async function openTab(context: BrowserContext, hasScript = true): Promise<Page> {
  const page = await context.newPage();
  if (!hasScript) return page;
  await page.addLocatorHandler(page.locator(ON_ITS_WAY), () => waitForPage(page));
  const evaluate = page.evaluate.bind(page) as (...args: unknown[]) => Promise<unknown>;
  page.evaluate = (async (...args: unknown[]) => {
    await waitForPage(page);
    return evaluate(...args);
  }) as Page['evaluate'];
  return page;
}
