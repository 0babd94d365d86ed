// Makes the pictures of the README:
// node --import tsx test/run.ts test/browser/pictures.ts
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pizzeria, trattoria } from '../../db/operator/demo/restaurant.ts';
import { displayPages, phone } from '../support/display-pages.ts';

const folder = join(import.meta.dirname, '../../gateway/display/pictures');
const time = '2026-06-01T10:30:00Z';
const wall = {
  query: '?screen=1',
  viewport: { width: 1280, height: 720 },
  locale: 'de-DE',
  timezoneId: 'Europe/Rome',
};

const pages = await displayPages([trattoria, pizzeria]);

test('pictures of the page on a phone and on a wall', async () => {
  await mkdir(folder, { recursive: true });
  for (const [name, slug, options] of [
    ['phone', 'trattoria', phone],
    ['screen', 'pizzeria', wall],
  ] as const) {
    const { page } = await pages.open(slug, { ...options, time });
    await page.evaluate('document.fonts.ready');
    const path = join(folder, `${name}.png`);
    await page.screenshot({ path, animations: 'disabled' });
  }
});
