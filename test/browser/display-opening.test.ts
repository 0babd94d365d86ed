// The line of the page that says whether a restaurant is open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { desk, displayPages, phone } from '../support/display-pages.ts';

const pages = await displayPages([trattoria], { keepsHours: true });

/** The line below the name at a moment, and the closures that the page lists. */
async function opening(time: string, locale: string) {
  const { page, context } = await pages.open('trattoria', {
    ...phone,
    ...{ time, locale, timezoneId: 'America/New_York', query: `?lang=${locale}` },
  });
  const line = await page.locator('#open').textContent();
  const closures = await page.locator('#hours [data-last]:visible').count();
  if (process.env.SCREENSHOTS) {
    const named = (name: string) => `${process.env.SCREENSHOTS}/opening-${locale}-${name}.png`;
    await page.setViewportSize({ width: 360, height: 740 });
    await page.screenshot({ path: named('phone') });
    await page.locator('#foot').screenshot({ path: named('foot') });
    await page.setViewportSize(desk);
    await page.screenshot({ path: named('desk') });
    await page.locator('#foot').screenshot({ path: named('foot-desk') });
  }
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  await context.close();
  return { line, closures, wide };
}

test('the page says by the restaurant’s clock whether it is open, and when that changes', async () => {
  // In Rome it is 13:00 on Wednesday 3 June 2026, then 16:00, then Sunday evening.
  for (const [time, locale, line] of [
    ['2026-06-03T11:00:00Z', 'it', 'Aperto fino alle 15:00'],
    ['2026-06-03T14:00:00Z', 'en', 'Closed, opens at 19:30'],
    ['2026-06-07T18:00:00Z', 'de', 'Geschlossen, wieder geöffnet: Montag, 12:30 Uhr'],
    ['2027-08-10T11:00:00Z', 'fr', 'Fermé, réouverture : 30 août à 12:30 · Congés d’été'],
  ] as const) {
    assert.deepEqual(await opening(time, locale), { line, closures: 1, wide: false });
  }
  assert.equal((await opening('2027-09-01T11:00:00Z', 'es')).closures, 0);
});
