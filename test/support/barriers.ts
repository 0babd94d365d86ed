import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** Without the spaces that the package's `source` has, it reaches the page in half the time. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The barriers for people with a disability that axe finds on the page. */
export async function barriersOf(page: Page): Promise<string[]> {
  // The page's own policy lets no script in; one that the debugger evaluates is not the page's.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Axe = {
      run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    };
    const { run } = (globalThis as unknown as { axe: Axe }).axe;
    // It would also describe all that is as it should be.
    const { violations } = await run({ resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
