import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { opens } from './browser.ts';

/** The hands of an owner on a page of the panel, which count what they do. */
export function countedSteps(page: Page) {
  const steps = { taps: 0, fields: 0 };
  return {
    steps,
    /** A tap leads to another page. */
    tap: async (role: 'link' | 'button', name: string) => {
      steps.taps += 1;
      await opens(page, () => page.getByRole(role, { name, exact: true }).first().click());
    },
    fill: async (label: string, text: string) => {
      steps.fields += 1;
      await page.getByLabel(label, { exact: true }).first().fill(text);
    },
    /** Resolves when the page says that something is done. */
    reads: (text: string) => page.getByRole('status').filter({ hasText: text }).first().waitFor(),
    /** Asserts that a whole story took at most so many steps. */
    check: (t: TestContext, most: typeof steps) => {
      t.diagnostic(JSON.stringify(steps));
      for (const what of ['taps', 'fields'] as const) {
        assert.ok(steps[what] <= most[what], `${steps[what]} ${what}; at most ${most[what]}`);
      }
    },
  };
}
