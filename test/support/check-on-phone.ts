import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { barriersOf } from './barriers.ts';

/**
 * Asserts that a page fits a phone, and has no barrier for those who cannot see it.
 *
 * @param hasNewForm whether its barriers are looked for: they are the same in each language
 */
export async function checkOnPhone(page: Page, hasNewForm = true): Promise<void> {
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.ok(Number(width) <= 360, `${page.url()} is ${width} px wide`);
  if (hasNewForm) assert.deepEqual(await barriersOf(page), [], page.url());
}
