import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { startBrowserServer } from '../processes/browser-server.ts';
import { type Running, running } from '../processes/running.ts';

const PAUSE_MS = 20;
const BOUND_MS = 60_000;

/** A page in a real browser. */
interface OpenPage extends Running {
  /** When a text stood in an element of the page for the first time, in ms since 1970. */
  shownAt(text: string): Promise<number>;
}

/** Notes when each text of an element stands there first; it runs in the page. */
const watch = (selector: string) => `
  window.shown = {};
  const look = () => {
    const text = document.querySelector(${JSON.stringify(selector)})?.textContent ?? '';
    shown[text] ??= performance.timeOrigin + performance.now();
  };
  new MutationObserver(look).observe(document.documentElement,
    { subtree: true, childList: true, characterData: true });
  look();`;

/**
 * Opens an address in Chromium.
 *
 * @param selector the element that is watched
 * @param folder for the browser's files
 */
export async function openPage(url: string, selector: string, folder: string): Promise<OpenPage> {
  const server = await startBrowserServer(join(folder, 'browser'));
  const browser = await chromium.connect(server.wsEndpoint());
  const page = await browser.newPage({ locale: 'it-IT' });
  await page.goto(url);
  await page.waitForSelector('html[data-begun]');
  await page.evaluate(watch(selector));
  return running({
    shownAt: async (text) => {
      const find = `Object.entries(shown).find(([one]) => one.includes(${JSON.stringify(text)}))?.[1]`;
      const bound = performance.now() + BOUND_MS;
      // The page's policy forbids what Playwright waits with.
      for (;;) {
        const at = await page.evaluate<number | undefined>(find);
        if (at !== undefined) return at;
        if (performance.now() > bound) throw new Error(`the page does not show ${text}`);
        await sleep(PAUSE_MS);
      }
    },
    stop: async () => {
      await browser.close();
      await server.close();
    },
  });
}
