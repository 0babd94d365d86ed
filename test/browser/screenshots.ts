// Makes pictures of the panel for people to look at:
// node --import tsx test/run.ts test/browser/screenshots.ts
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { pizzeria, trattoria } from '../../db/operator/demo/menus.ts';
import type { DemoRestaurant } from '../../db/operator/demo/restaurant.ts';
import { connectBrowser } from '../support/browser.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { addUser, EMAIL, PASSWORD } from '../support/panel.ts';
import { oddTheme, openDatabase, plant } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';

const folder = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../../.data/screenshots');

const odd: DemoRestaurant = {
  ...trattoria,
  slug: 'odd',
  settings: { ...trattoria.settings, name: 'Bar Sport <b>da Gino</b> & figli' },
  theme: { ...oddTheme, border_radius: '20px', font_family: 'Comic Sans MS, sans-serif' },
};

const viewports = {
  desk: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
};

async function openContext(browser: Browser, size: keyof typeof viewports, locale: string) {
  return browser.newContext({
    viewport: viewports[size],
    locale,
    deviceScaleFactor: size === 'phone' ? 2 : 1,
    isMobile: size === 'phone',
    hasTouch: size === 'phone',
  });
}

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/admin/sign-in?next=/admin/api-tokens`);
  await page.fill('#email', EMAIL);
  await page.fill('#password', PASSWORD);
  await page.click('main button');
  await page.waitForURL('**/admin/api-tokens');
}

const manyTokens = `
  insert into tokens (tenant_id, user_id, name, scopes, hash, created_at, last_used_at, revoked_at)
  select u.tenant_id, u.id, t.name, t.scopes, '\\x00',
    now() - t.age, now() - t.used, now() - t.revoked
  from users u, (values
    ('Sito web', array['menu:read'], interval '12 days', interval '4 minutes', null::interval),
    ('Cassa in sala', array['menu:read', 'menu:write'], interval '130 days', interval '2 hours', null),
    ('Cruscotto del commercialista con un nome davvero molto lungo che non finisce mai',
      array['menu:read', 'menu:write', 'analytics:read'], interval '3 days', null, null),
    ('Vecchio tablet', array['menu:write'], interval '300 days', interval '200 days', interval '20 days'),
    ('Prova', array['analytics:read'], interval '40 days', null, interval '39 days')
  ) as t (name, scopes, age, used, revoked)
  where u.email = $1`;

async function story(context: BrowserContext, origin: string, databaseUrl: string, name: string) {
  const page = await context.newPage();
  const shoot = async (what: string) => {
    await page.screenshot({ path: join(folder, `${name}-${what}.png`), fullPage: true });
  };
  await runSql(databaseUrl, 'delete from tokens');
  await page.goto(`${origin}/admin/sign-in`);
  await shoot('1-sign-in');
  await page.fill('#email', EMAIL);
  await page.fill('#password', 'sbagliata');
  await page.click('main button');
  await shoot('2-sign-in-error');
  await signIn(page, origin);
  await shoot('3-empty');
  await page.fill('#name', 'Sito web');
  await page.click('.create button');
  await shoot('4-error');
  await page.check('#scope-menu-read');
  await page.click('.create button');
  await page.waitForSelector('.reveal');
  await shoot('5-banner');
  await runSql(databaseUrl, 'delete from tokens');
  await runSql(databaseUrl, manyTokens, [EMAIL]);
  await page.goto(`${origin}/admin/api-tokens`);
  await shoot('6-list');
  await page.click('.token.due .danger');
  await shoot('7-revoke');
  await page.click('main button');
  await shoot('8-revoked');
  await page.close();
}

test('pictures of every page, on a phone and on a desk', async () => {
  await mkdir(folder, { recursive: true });
  const database = await createTestDatabase();
  const db = await openDatabase(database.url);
  const gateway = await startTestGateway(database.url);
  const browser = await connectBrowser();
  try {
    for (const restaurant of [trattoria, pizzeria, odd]) {
      await addUser(db, await plant(db, restaurant));
      for (const size of ['desk', 'phone'] as const) {
        const locale = restaurant === pizzeria ? 'en-GB' : 'it-IT';
        const context = await openContext(browser, size, locale);
        const origin = `http://${restaurant.slug}.localhost:${gateway.port}`;
        await story(context, origin, database.url, `${restaurant.slug}-${size}`);
        await context.close();
      }
    }
  } finally {
    await browser.close();
    await gateway.stop();
    await db.end();
    await database.drop();
  }
});
