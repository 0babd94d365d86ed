import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { startBrowserServer } from '../processes/browser-server.ts';

/** The bytes that a phone receives for the first view of a page, and those of photos among them. */
interface FirstView {
  bytes: number;
  photoBytes: number;
  photos: number;
}

/** After so long without a file the first view is whole. */
const QUIET_MS = 2_000;
/** A usual phone. */
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 3, isMobile: true };

/** @param folder for the browser's files */
export async function measureFirstView(url: string, folder: string): Promise<FirstView> {
  await using server = await startBrowserServer(join(folder, 'browser'));
  const browser = await chromium.connect(server.wsEndpoint());
  const page = await (await browser.newContext({ ...PHONE, locale: 'it-IT' })).newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const photos = new Set<string>();
  const underWay = new Set<string>();
  let lastAt = performance.now();
  const view = { bytes: 0, photoBytes: 0 };
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!new URL(request.url).pathname.startsWith('/media/')) return;
    photos.add(requestId);
    underWay.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    view.bytes += encodedDataLength;
    if (photos.has(requestId)) view.photoBytes += encodedDataLength;
    underWay.delete(requestId);
    lastAt = performance.now();
  });
  // The page keeps a stream open, so that its network is never idle.
  await page.goto(url, { waitUntil: 'load' });
  while (underWay.size > 0 || performance.now() - lastAt < QUIET_MS) await sleep(QUIET_MS / 10);
  await browser.close();
  return { ...view, photos: photos.size };
}
