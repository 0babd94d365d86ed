import type { BrowserContextOptions, Page } from 'playwright-core';
import { connectBrowser, openTab } from './browser.ts';
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
  return {
    service,
    enter: async (slug, path, options = {}, email = EMAIL) => {
      const domain = `${slug}.localhost`;
      const baseURL = `http://${domain}:${service.gateway.port}`;
      const context = await browser.newContext({ baseURL, locale: 'it-IT', ...options });
      context.setDefaultTimeout(60_000);
      const { cookie } = await signedIn(service.gateway.client(slug), email);
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, domain, path: '/admin' }]);
      const page = await openTab(context, options.javaScriptEnabled);
      await page.goto(path);
      return page;
    },
    stop: async () => {
      await browser.close();
      await service.stop();
    },
  };
}

/** The same, stopped with the tests of the file. */
export const panelPages = forFile(createPanelPages);
