// Makes pictures of every page of the panel, and of the guests' page, for people to look at: in five
// languages and three themes, on a phone and on a desk. Each sheet shows one page in all languages.
// THEME=<slug> makes those of one theme.
// node --import tsx test/run.ts test/browser/screenshots.ts
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { DemoRestaurant } from '../../db/operator/demo/restaurant.ts';
import { pizzeria, trattoria } from '../../db/operator/demo/restaurant.ts';
import { LOCALES } from '../../db/schema/values/locale.ts';
import { connectBrowser, opens } from '../support/browser.ts';
import type { MenuService } from '../support/menu-service.ts';
import { EMAIL, PASSWORD } from '../support/panel.ts';
import { PANEL_PATHS } from '../support/panel-paths.ts';
import { startPanelService } from '../support/panel-service.ts';
import { oddTheme } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';
import { untilFound } from '../support/until.ts';

const folder = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../../.data/screenshots');

const odd: DemoRestaurant = {
  ...trattoria,
  slug: 'odd',
  settings: { ...trattoria.settings, name: 'Bar Sport <b>da Gino</b> & figli' },
  theme: { ...oddTheme, border_radius: '20px', font_family: 'Comic Sans MS, sans-serif' },
};

const SIZES = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 900 } };

/** Tokens of every kind, and dishes of every state. */
const PREPARATIONS = [
  `insert into tokens (tenant_id, user_id, name, scopes, hash, created_at, last_used_at, revoked_at)
  select u.tenant_id, u.id, t.name, t.scopes, '\\x00',
    now() - t.age, now() - t.used, now() - t.revoked
  from users u, (values
    ('Sito web', array['menu:read'], interval '12 days', interval '4 minutes', null::interval),
    ('Cassa in sala', array['menu:read', 'menu:write'], interval '130 days', interval '2 hours', null),
    ('Cruscotto del commercialista con un nome davvero molto lungo che non finisce mai',
      array['menu:read', 'menu:write', 'analytics:read'], interval '3 days', null, null),
    ('Vecchio tablet', array['menu:write'], interval '300 days', interval '200 days', interval '20 days')
  ) as t (name, scopes, age, used, revoked)`,
  `update dishes set is_active = false where id % 7 = 3`,
  `update dishes set sold_out_until = 'infinity' where id % 7 = 2`,
  `update dishes set allergens = '{}', contains_none = false where id % 7 = 4`,
  `update dishes set deleted_at = now() - interval '3 hours' where id % 11 = 9`,
];

/** Guests look at dishes, search and leave out allergens. */
async function sendGuests({ client, databaseUrl }: MenuService): Promise<void> {
  const views = Array.from({ length: 40 }, (_, n) => ({
    ...{ type: 'item_view', item_id: 1 + (n % 6), visitor_id: `guest-${n % 17}` },
    locale: LOCALES[n % LOCALES.length],
  }));
  const searches = ['sushi', 'senza glutine', 'un testo molto lungo che nessuno capirà mai'].map(
    (query) => ({ type: 'search', query, results: 0, locale: 'it', visitor_id: 'guest-0' }),
  );
  await client.sendEvents([...views, ...searches]);
  const counted = 'select from analytics_empty_searches having count(*) = $1';
  await untilFound('the events are not counted', () =>
    runSql(databaseUrl, counted, [searches.length]),
  );
}

/** Pages to look at, by their names: the way to each of somebody who has signed in. */
type Views = Readonly<Record<string, (page: Page) => Promise<void>>>;

const press = (page: Page, button: string) =>
  opens(page, () => page.locator(button).first().click());

async function sendFile(page: Page, table: string): Promise<void> {
  await page.goto('/admin/import');
  const buffer = Buffer.from(table);
  const file = { name: 'listino.csv', mimeType: 'text/csv', buffer };
  await page.locator('input[type=file]').setInputFiles(file);
  await press(page, 'main form .main');
}

/** Pages that say something after a change. */
const MESSAGES: Views = {
  'error-dish': async (page) => {
    await page.goto('/admin/menu/items/1');
    await page.locator('#f-name-it').fill('');
    await page.locator('#f-price').fill('due');
    await press(page, '.save .main');
  },
  'error-price': async (page) => {
    await page.goto('/admin/menu?section=1');
    await page.locator('.dish .price input[type=text]').first().fill('abc');
    await press(page, '.bar .button');
  },
  'told-sold-out': async (page) => {
    await page.goto('/admin/menu?section=1');
    await press(page, '.dish .acts > button');
  },
  'told-undone': (page) => press(page, '.notice button'),
  'error-none-chosen': async (page) => {
    await page.goto('/admin/menu?section=1');
    await press(page, '.many button[value=many-hide]');
  },
  'told-deleted': async (page) => {
    // Each language deletes a dish, more than a section may have.
    await page.goto('/admin/menu?q=e');
    await page.locator('.dish .what a').first().click();
    await press(page, '.removal .danger');
  },
  'told-restored': (page) => press(page, '.notice button'),
  'import-errors': (page) => sendFile(page, 'id,price,name.it\n1,13.5,\n2,two,\n3,7,Altro nome\n'),
  'import-diff': (page) =>
    sendFile(page, 'id,price,name.it\n1,13.5,Un nome nuovo\n3,7,Altro nome\n'),
  'error-token': async (page) => {
    await page.goto('/admin/api-tokens');
    await press(page, '.create button');
  },
  'told-token': async (page) => {
    await page.locator('#name').fill('Sito web nuovo');
    await page.locator('#scope-menu-read').check();
    await press(page, '.create button');
  },
  revoke: async (page) => {
    await page.goto('/admin/api-tokens');
    await press(page, '.token .danger');
  },
  'signed-out': (page) => press(page, '.account button'),
};

const VIEWS: Views = {
  'sign-in': async (page) => void (await page.goto('/admin/sign-in')),
  'error-sign-in': async (page) => {
    await page.locator('#email').fill(EMAIL);
    await page.locator('#password').fill('sbagliata');
    await press(page, 'main button.main');
  },
  first: async (page) => {
    await page.locator('#password').fill(PASSWORD);
    await press(page, 'main button.main');
  },
  ...Object.fromEntries(
    PANEL_PATHS.map((path) => [
      path.replace(/^\/admin\/?/, '').replace(/\W+/g, '-') || 'home',
      async (page: Page) => void (await page.goto(path)),
    ]),
  ),
  ...MESSAGES,
  guests: async (page) => void (await page.goto('/')),
  wall: async (page) => void (await page.goto('/?screen=1')),
};

/** Puts pictures into one, small enough to be read on a screen. */
async function makeSheet(page: Page, pictures: readonly Buffer[], path: string): Promise<void> {
  const images = pictures.map(
    (one) => `<img src="data:image/jpeg;base64,${one.toString('base64')}">`,
  );
  await page.setContent(`<style>
    body { margin: 0; display: flex; flex-wrap: wrap; align-items: start; gap: 10px; background: #888 }
    img { max-width: 915px }
  </style>${images.join('')}`);
  await page.locator('img').last().evaluate('(image) => image.decode()');
  await page.screenshot({ path, fullPage: true });
}

async function takePictures(browser: Browser, baseURL: string, name: string): Promise<void> {
  const sheet = await browser.newPage({ viewport: { width: 1840, height: 400 } });
  const pages = await Promise.all(
    LOCALES.map((locale) => browser.newPage({ baseURL, locale, viewport: SIZES.desk })),
  );
  for (const [view, open] of Object.entries(VIEWS)) {
    const pictures = new Map(Object.keys(SIZES).map((size): [string, Buffer[]] => [size, []]));
    for (const page of pages) {
      await open(page);
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        const kind = { fullPage: true, animations: 'disabled', type: 'jpeg', quality: 90 } as const;
        pictures.get(size)?.push(await page.screenshot(kind));
      }
    }
    for (const [size, list] of pictures) {
      await makeSheet(sheet, list, join(folder, name, `${view}-${size}.png`));
    }
  }
}

const { THEME: theme } = process.env;
for (const restaurant of [trattoria, pizzeria, odd]) {
  if (theme !== undefined && theme !== restaurant.slug) continue;
  test(`pictures of every page in the theme of ${restaurant.slug}`, async () => {
    await mkdir(join(folder, restaurant.slug), { recursive: true });
    const service = await startPanelService([restaurant]);
    const browser = await connectBrowser();
    try {
      for (const statement of PREPARATIONS) await runSql(service.databaseUrl, statement);
      await sendGuests(service);
      const baseURL = `http://${restaurant.slug}.localhost:${service.gateway.port}`;
      await takePictures(browser, baseURL, restaurant.slug);
    } finally {
      await browser.close();
      await service.stop();
    }
  });
}
