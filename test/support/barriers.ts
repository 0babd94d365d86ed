import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The barriers for people with a disability that axe finds on the page. */
export async function barriersOf(page: Page): Promise<string[]> {
  // The page's own policy lets no script in; one that the debugger evaluates is not the page's.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    type Axe = { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
