import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startBrowserServer } from '../processes/browser-server.ts';

/** A phone of the lower middle has about a quarter of a desk's speed. */
const SLOWER = 4;
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, locale: 'it-IT' };

/** Work of the page after one key, in milliseconds: its script, and styles and layout. */
interface Keystroke {
  script: number;
  layout: number;
}

/** Resolves when the next picture of the page has been made. */
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';

/**
 * Types texts into the search of a restaurant's page, on a processor that is slowed down.
 *
 * @param folder for the browser's files
 */
export async function typeIntoSearch(
  url: string,
  texts: readonly string[],
  folder: string,
): Promise<Keystroke[]> {
  await using server = await startBrowserServer(join(folder, 'browser'));
  const browser = await chromium.connect(server.wsEndpoint());
  const page = await (await browser.newContext(PHONE)).newPage();
  await page.goto(url);
  await page.waitForSelector('html[data-begun]');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const read = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    const sum = (...names: string[]) =>
      metrics.reduce((all, { name, value }) => all + (names.includes(name) ? value : 0), 0);
    return {
      script: 1_000 * sum('ScriptDuration'),
      layout: 1_000 * sum('LayoutDuration', 'RecalcStyleDuration'),
    };
  };
  const search = page.locator('#search');
  const keystrokes: Keystroke[] = [];
  for (const text of texts) {
    await search.fill('');
    for (const key of text) {
      await page.evaluate(PAINTED);
      const before = await read();
      await search.press(key);
      await page.evaluate(PAINTED);
      const after = await read();
      const script = after.script - before.script;
      keystrokes.push({ script, layout: after.layout - before.layout });
    }
  }
  await browser.close();
  return keystrokes;
}
