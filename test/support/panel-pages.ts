import type { BrowserContextOptions, Page } from 'playwright-core';
import { connectBrowser, openTab } from './browser.ts';
import { forFile } from './for-file.ts';
import type { MenuService } from './menu-service.ts';
import { EMAIL, PASSWORD } from './panel.ts';
import { startPanelService } from './panel-service.ts';

export const narrowPhone = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
} satisfies BrowserContextOptions;

/** Panels of restaurants, and a browser that looks at them. */
export interface PanelPages {
  service: MenuService;
  /** Opens a page in a browser without a past, and signs in on the way to it. */
  enter(slug: string, path: string, options?: BrowserContextOptions, email?: string): Promise<Page>;
  stop(): Promise<void>;
}

/** @param args as for `startPanelService` */
export async function createPanelPages(
  ...args: Parameters<typeof startPanelService>
): Promise<PanelPages> {
  const service = await startPanelService(...args);
  const browser = await connectBrowser();
  return {
    service,
    enter: async (slug, path, options = {}, email = EMAIL) => {
      const baseURL = `http://${slug}.localhost:${service.gateway.port}`;
      const context = await browser.newContext({ baseURL, locale: 'it-IT', ...options });
      context.setDefaultTimeout(60_000);
      const page = await openTab(context, options.javaScriptEnabled);
      await page.goto(`/admin/sign-in?next=${encodeURIComponent(path)}`);
      await page.locator('#email').fill(email);
      await page.locator('#password').fill(PASSWORD);
      await page.locator('main button.main').click();
      await page.waitForURL((url) => url.pathname + url.search === path);
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
