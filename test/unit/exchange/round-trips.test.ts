// Menus that go to a service and come back: the reports name everything that is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exportsOf } from '../../../db/exchange/exports.ts';
import { importsOf } from '../../../db/exchange/imports.ts';
import type { InOptions } from '../../../db/exchange/in-menu.ts';
import { inOneGo } from '../../../db/runtime/in-slices.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import { unnamedLosses } from '../../support/exchange-difference.ts';
import { AT, exportedMenu, OUT } from '../../support/exchange-menu.ts';
import type { Row } from '../../support/random-menu.ts';

const RUNS = 200;
/** Other menus are tried by another number. */
const SEED = Number(process.env.SEED ?? 1);

/** An empty restaurant with the settings of a menu. */
function emptyLike(menu: Row): InOptions {
  const { currency, default_locale, fallback_locale } = menu.settings as Row;
  return {
    ...{ at: AT, slug: 'trattoria', currency: String(currency) },
    ...{ locale: default_locale as Locale, fallback: fallback_locale as Locale },
    find: () => undefined,
    named: () => [],
  };
}

for (const target of ['google', 'uber', 'square', 'deliverect', 'otter'] as const) {
  test(`${target}, out and in again, loses nothing that the reports do not name`, () => {
    fc.assert(
      fc.property(exportedMenu, (menu) => {
        const { document, report } = inOneGo(exportsOf[target](menu, OUT));
        const sent = JSON.parse(JSON.stringify(document));
        const back = inOneGo(importsOf[target](sent, emptyLike(menu)));
        assert.ok(back);
        assert.deepEqual(unnamedLosses(menu, back.document, report, back.report), []);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
}
