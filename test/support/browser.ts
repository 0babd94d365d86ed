import { type Browser, chromium } from 'playwright-core';

/** Connects to the browser of the run; what a test file opens in it closes with the connection. */
export function connectBrowser(): Promise<Browser> {
  const address = process.env.TEST_BROWSER;
  if (!address) throw new Error('run this file with: node --import tsx test/run.ts <file>');
  return chromium.connect(address);
}
