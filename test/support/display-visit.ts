import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export const desk = { width: 1280, height: 900 };
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Events that the page has sent. */
  events: Record<string, unknown>[];
  /** Resolves when an event that `fits` has been sent. */
  sent: (fits: Record<string, unknown>) => Promise<Record<string, unknown>>;
}

export type VisitOptions = BrowserContextOptions & { time?: string };

/** Opens a page of the display in a browser without a past, before `time` where one is given. */
export async function openVisit(
  browser: Browser,
  url: string,
  { time, ...rest }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: desk, locale: 'it-IT', ...rest });
  const events: Visit['events'] = [];
  const waiting = new Set<() => void>();
  await context.route('**/api/v1/analytics/events', async (route) => {
    events.push(...(route.request().postDataJSON() as { events: Visit['events'] }).events);
    for (const look of waiting) look();
    await route.fulfill({ status: 202, json: { success: true } });
  });
  // The demo restaurants' pictures and fonts are on servers that do not exist.
  await context.route(/\.example\//, (route) => route.abort());
  const page = await context.newPage();
  await page.clock.install(time === undefined ? {} : { time });
  await page.goto(url);
  await page.waitForSelector('.dish');
  const sent: Visit['sent'] = (fits) =>
    new Promise((resolve) => {
      const look = () => {
        const event = events.find((one) =>
          Object.entries(fits).every(([name, value]) => one[name] === value),
        );
        if (!event) return;
        waiting.delete(look);
        resolve(event);
      };
      waiting.add(look);
      look();
    });
  return { context, page, events, sent };
}
