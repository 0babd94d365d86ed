import type { BrowserContextOptions } from 'playwright-core';
import { closingPages, connectBrowser, openTab } from './browser.ts';
import { forFile } from './for-file.ts';
import { EMAIL, signedIn } from './panel.ts';
import { openPanelService } from './panel-service.ts';

export const narrowPhone = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
} satisfies BrowserContextOptions;

/**
 * Panels of restaurants, and a browser that looks at them.
 *
 * @param args as for `openPanelService`
 */
export async function createPanelPages(...args: Parameters<typeof openPanelService>) {
  const service = await openPanelService(...args);
  const browser = await connectBrowser();
  /** Opens a page in a browser without a past. */
  const visit = async (
    slug: string,
    path: string,
    options: BrowserContextOptions = {},
    cookie = '',
  ) => {
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
    /** Opens a page in a browser that has signed in and no other past. */
    enter: async (
      slug: string,
      path: string,
      options: BrowserContextOptions = {},
      email = EMAIL,
    ) => {
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
export const panelPages = forFile(async (...args: Parameters<typeof openPanelService>) =>
  closingPages(await createPanelPages(...args)),
);
