import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { barriersOf } from './barriers.ts';

/** Asserts that a page has no barrier for those who cannot see it, and that it fits a phone. */
export async function checkOnPhone(page: Page): Promise<void> {
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.ok(Number(width) <= 360, `${page.url()} is ${width} px wide`);
  assert.deepEqual(await barriersOf(page), [], page.url());
}
