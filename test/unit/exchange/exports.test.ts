// Exports for other services: their documents are valid, and their reports complete.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exportsOf } from '../../../db/exchange/exports.ts';
import { inOneGo } from '../../../db/runtime/in-slices.ts';
import { EXPORT_TARGETS } from '../../../db/schema/exchange-report.ts';
import { exportedMenu, OUT } from '../../support/exchange-menu.ts';
import { faultsOf } from '../../support/exchange-schemas/validate.ts';
import type { Row } from '../../support/random-menu.ts';

const RUNS = 200;
/** Other menus are tried by another number. */
const SEED = Number(process.env.SEED ?? 1);

for (const target of EXPORT_TARGETS) {
  test(`${target}, exports valid documents, whatever the menu`, () => {
    fc.assert(
      fc.property(exportedMenu, (menu) => {
        const { document } = inOneGo(exportsOf[target](menu, OUT));
        assert.deepEqual(faultsOf(target, document), []);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  test(`${target}, carries or names each dish, and counts those that it carries`, () => {
    fc.assert(
      fc.property(exportedMenu, (menu) => {
        const { report } = inOneGo(exportsOf[target](menu, OUT));
        const left = report.left_out.filter(({ resource }) => resource === 'items');
        assert.equal(report.sent + left.length, (menu.items as Row[]).length);
        assert.equal(new Set(left.map(({ id }) => id)).size, left.length);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
}
