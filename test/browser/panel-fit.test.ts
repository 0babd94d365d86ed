// Every page of the panel fits a phone of 360 px in all five languages, and no text leaves its box.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { trattoria } from '../../db/operator/demo/menus.ts';
import { LOCALES } from '../../db/schema/locale.ts';
import { PLACES } from '../../gateway/panel/navigation.ts';
import { connectBrowser } from '../support/browser.ts';
import { type MenuService, startMenuService } from '../support/menu-service.ts';
import { addUser, EMAIL, PASSWORD } from '../support/panel.ts';

const PATHS = [
  ...Object.values(PLACES).map(({ path }) => path),
  '/admin/menu?section=1',
  '/admin/menu/items/1',
  '/admin/menu/items/new',
  '/admin/menu/sections/1',
  '/admin/menu/types',
  '/admin/menu/types/1',
  '/admin/menu/wineries',
  '/admin/menu/wineries/1',
  '/admin/menu/wineries/new',
  '/admin/menu/deleted',
];

let service: MenuService;
let browser: Browser;
before(async () => {
  service = await startMenuService([trattoria]);
  await addUser(service.db, service.tenantId);
  browser = await connectBrowser();
});
after(async () => {
  await browser.close();
  await service.stop();
});

/** What is too wide, as the browser finds it: the page itself, and boxes that their text leaves. */
const TOO_WIDE = `(() => {
  const wide = document.documentElement.scrollWidth > 360 ? ['the page'] : [];
  const boxes = document.querySelectorAll('main :is(a, button, label, legend, summary, th, td, p, li, h1, h2, h3, .state)');
  for (const box of boxes) {
    const isShown = box.checkVisibility() && box.clientWidth > 1 && !box.matches('.hidden');
    if (isShown && box.scrollWidth > box.clientWidth + 1) wide.push(box.outerHTML.slice(0, 200));
  }
  return wide;
})()`;

for (const locale of LOCALES) {
  test(`every page fits a phone, in ${locale}`, async () => {
    const context = await browser.newContext({
      ...{ baseURL: `http://trattoria.localhost:${service.gateway.port}`, locale },
      ...{ viewport: { width: 360, height: 740 }, isMobile: true, javaScriptEnabled: true },
    });
    context.setDefaultTimeout(60_000);
    try {
      const page = await context.newPage();
      const found: string[] = [];
      const look = async () => {
        const wide = (await page.evaluate(TOO_WIDE)) as string[];
        found.push(...wide.map((what) => `${page.url()}: ${what}`));
      };
      await page.goto('/admin/sign-in');
      await look();
      await page.locator('#email').fill(EMAIL);
      await page.locator('#password').fill(PASSWORD);
      await page.locator('main button').click();
      await page.waitForURL('**/admin');
      for (const path of PATHS) {
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        assert.equal(await page.locator('html').getAttribute('lang'), locale);
        // What is folded must fit as well.
        await page.evaluate(
          `for (const one of document.querySelectorAll('main details')) one.open = true`,
        );
        await look();
      }
      assert.deepEqual(found, []);
    } finally {
      await context.close();
    }
  });
}
