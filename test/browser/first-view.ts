// How soon guests on a slow line see the menu at their first visit, and how many bytes that takes: on
// a phone with an empty cache, at 400 kbit/s with 400 ms until an answer begins. It tells the median
// of five visits.
// node --import tsx test/run.ts test/browser/first-view.ts
import { test } from 'node:test';
import type { Browser } from 'playwright-core';
import { pizzeria, trattoria } from '../../db/operator/demo/restaurant.ts';
import { connectBrowser, waitForPage } from '../support/browser.ts';
import { startMenuService } from '../support/menu-service.ts';
import { narrowPhone } from '../support/panel-pages.ts';

const BYTES_PER_SECOND = 400_000 / 8;
const LATENCY_MS = 400;
const VISITS = 5;

interface View {
  /** From the request until the largest thing is painted, in ms. */
  lcp: number;
  /** Of all answers until the page's script has run. */
  bytes: number;
  requests: number;
}

/** One visit in a browser without a past. */
async function visit(browser: Browser, url: string): Promise<View> {
  const context = await browser.newContext({ ...narrowPhone, locale: 'it-IT' });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  // The demo restaurants' pictures and fonts are on servers that do not exist.
  await devtools.send('Network.setBlockedURLs', { urls: ['*.example/*'] });
  await devtools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: LATENCY_MS },
    ...{ downloadThroughput: BYTES_PER_SECOND, uploadThroughput: BYTES_PER_SECOND },
  });
  const view = { lcp: 0, bytes: 0, requests: 0 };
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    view.bytes += encodedDataLength;
    view.requests += 1;
  });
  await page.addInitScript(`new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.lcp = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });`);
  await page.goto(url);
  await waitForPage(page);
  view.lcp = await page.evaluate<number>('window.lcp');
  await context.close();
  return view;
}

const median = (numbers: readonly number[]) =>
  [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;

test('the first view of the demo menus on a slow line', async (t) => {
  const service = await startMenuService([trattoria, pizzeria]);
  const browser = await connectBrowser();
  try {
    for (const { slug } of [trattoria, pizzeria]) {
      const views: View[] = [];
      for (let count = 0; count < VISITS; count += 1) {
        views.push(await visit(browser, `http://${slug}.localhost:${service.gateway.port}/`));
      }
      const lcp = (median(views.map((view) => view.lcp)) / 1_000).toFixed(2);
      const kilobytes = (median(views.map(({ bytes }) => bytes)) / 1_024).toFixed(1);
      const requests = median(views.map((view) => view.requests));
      t.diagnostic(`${slug}: largest paint after ${lcp} s, ${kilobytes} KB in ${requests} answers`);
    }
  } finally {
    await browser.close();
    await service.stop();
  }
});
