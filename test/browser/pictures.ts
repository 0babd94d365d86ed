// Makes the pictures of the README:
// node --import tsx test/run.ts test/browser/pictures.ts
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pizzeria, trattoria } from '../../db/operator/demo/restaurant.ts';
import { createDisplayPages, phone } from '../support/display-pages.ts';

const folder = join(import.meta.dirname, '../../gateway/display/pictures');
const time = '2026-06-01T10:30:00Z';
const wall = {
  query: '?screen=1',
  viewport: { width: 1280, height: 720 },
  locale: 'de-DE',
  timezoneId: 'Europe/Rome',
};

test('pictures of the page on a phone and on a wall', async () => {
  await mkdir(folder, { recursive: true });
  const pages = await createDisplayPages([trattoria, pizzeria]);
  try {
    for (const [name, slug, options] of [
      ['phone', 'trattoria', phone],
      ['screen', 'pizzeria', wall],
    ] as const) {
      const { page, context } = await pages.open(slug, { ...options, time });
      await page.evaluate('document.fonts.ready');
      const path = join(folder, `${name}.png`);
      await page.screenshot({ path, animations: 'disabled' });
      await context.close();
    }
  } finally {
    await pages.stop();
  }
});
