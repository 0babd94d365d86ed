import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Connects to the browser of the run; what a test file opens in it closes with the connection. */
export function connectBrowser(): Promise<Browser> {
  const address = process.env.TEST_BROWSER;
  if (!address) throw new Error('run this file with: node --import tsx test/run.ts <file>');
  return chromium.connect(address);
}

/** A page that has no script, or whose script has run: it says so on its root element. */
const BEGUN = 'html:not(:has(script[src])), html[data-begun]';

/** Resolves when the script of the shown page has run. */
export function waitForScript(page: Page): Promise<void> {
  return page.locator(BEGUN).waitFor({ state: 'attached' });
}

/**
 * Opens a page in which every action, and every script of the test, waits until the shown document's
 * own script has run, whichever way the test came to it.
 *
 * @param hasScript false where the context runs no script
 */
export async function openTab(context: BrowserContext, hasScript = true): Promise<Page> {
  const page = await context.newPage();
  if (!hasScript) return page;
  const early = page.locator('html:has(script[src]):not([data-begun])');
  await page.addLocatorHandler(early, () => waitForScript(page));
  const evaluate = page.evaluate.bind(page) as (...args: unknown[]) => Promise<unknown>;
  page.evaluate = (async (...args: unknown[]) => {
    await waitForScript(page);
    return evaluate(...args);
  }) as Page['evaluate'];
  return page;
}
