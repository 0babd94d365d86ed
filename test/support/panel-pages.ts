import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { closingPages, connectBrowser, openTab } from './browser.ts';
import { forFile } from './for-file.ts';
import type { MenuService } from './menu-service.ts';
import { EMAIL, signedIn } from './panel.ts';
import { openPanelService } from './panel-service.ts';

export const narrowPhone = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
} satisfies BrowserContextOptions;

/** Panels of restaurants, and a browser that looks at them. */
export interface PanelPages {
  service: MenuService;
  browser: Browser;
  /** Opens a page in a browser without a past. */
  visit(
    slug: string,
    path: string,
    options?: BrowserContextOptions,
    cookie?: string,
  ): Promise<Page>;
  /** Opens a page in a browser that has signed in and no other past. */
  enter(slug: string, path: string, options?: BrowserContextOptions, email?: string): Promise<Page>;
  stop(): Promise<void>;
}

/** @param args as for `openPanelService` */
export async function createPanelPages(
  ...args: Parameters<typeof openPanelService>
): Promise<PanelPages> {
  const service = await openPanelService(...args);
  const browser = await connectBrowser();
  const visit: PanelPages['visit'] = async (slug, path, options = {}, cookie = '') => {
    const domain = `${slug}.localhost`;
    const baseURL = `http://${domain}:${service.gateway.port}`;
    const context = await browser.newContext({ baseURL, locale: 'it-IT', ...options });
    context.setDefaultTimeout(60_000);
    const [name = '', value = ''] = cookie.split('=');
    if (cookie) await context.addCookies([{ name, value, domain, path: '/admin' }]);
    const page = await openTab(context, options.javaScriptEnabled);
    await page.goto(path);
    return page;
  };
  return {
    ...{ service, browser, visit },
    enter: async (slug, path, options = {}, email = EMAIL) => {
      const { cookie } = await signedIn(service.gateway.client(slug), email);
      return visit(slug, path, options, cookie);
    },
    stop: async () => {
      await browser.close();
      await service.stop();
    },
  };
}

/** The same, stopped with the tests of the file. Pages that a test opens are closed with it. */
export const panelPages = forFile(
  async (...args: Parameters<typeof openPanelService>): Promise<PanelPages> =>
    closingPages(await createPanelPages(...args)),
);
