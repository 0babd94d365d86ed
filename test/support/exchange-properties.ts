import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exportAs } from '../../db/exchange/exports.ts';
import { importFrom } from '../../db/exchange/imports.ts';
import type { InOptions } from '../../db/exchange/in-menu.ts';
import { inOneGo } from '../../db/runtime/in-slices.ts';
import { EXPORT_TARGETS, type ExportTarget } from '../../db/schema/exchange-report.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import { unnamedLosses } from './exchange-difference.ts';
import { AT, exportedMenu, OUT } from './exchange-menu.ts';
import { faultsOf } from './exchange-schemas/validate.ts';
import type { Row } from './random-menu.ts';

// Properties that hold for each menu and each service.

/** Services whose documents go out and come in. */
export const BOTH_WAYS = ['google', 'uber', 'square', 'deliverect', 'otter'] as const;
type BothWays = (typeof BOTH_WAYS)[number];

/** How many random menus are tried, and which. */
interface Runs {
  numRuns: number;
  seed: number;
}

/** An empty restaurant with the settings of a menu. */
export function emptyLike(menu: Row): InOptions {
  const { currency, default_locale, fallback_locale } = menu.settings as Row;
  return {
    ...{ at: AT, slug: 'trattoria', currency: String(currency) },
    ...{ locale: default_locale as Locale, fallback: fallback_locale as Locale },
    find: () => undefined,
    named: () => [],
  };
}

/** The losses of a menu on its way to a service and back that no report names. */
export function lossesOf(target: BothWays, menu: Row): string[] {
  const { document, report } = inOneGo(exportAs(target, menu, OUT));
  const sent = JSON.parse(JSON.stringify(document));
  const back = inOneGo(importFrom(target, sent, emptyLike(menu)));
  assert.ok(back);
  return unnamedLosses(menu, sent, back.document, report, back.report);
}

/** A document is valid, and its report counts each dish once: as carried, or as left out. */
export function checkExport(target: ExportTarget, menu: Row): void {
  const { document, report } = inOneGo(exportAs(target, menu, OUT));
  assert.deepEqual(faultsOf(target, document), []);
  const left = report.left_out.filter(({ resource }) => resource === 'items');
  assert.equal(report.sent + left.length, (menu.items as Row[]).length);
  assert.equal(new Set(left.map(({ id }) => id)).size, left.length);
}

/** Random menus: each document is valid, and each loss on the way out and in again is named. */
export function checkMenus(runs: Runs, targets: readonly ExportTarget[] = EXPORT_TARGETS): void {
  const check = fc.property(exportedMenu, (menu) => {
    for (const target of targets) checkExport(target, menu);
    for (const target of BOTH_WAYS.filter((one) => targets.includes(one))) {
      assert.deepEqual(lossesOf(target, menu), [], target);
    }
  });
  fc.assert(check, runs);
}
