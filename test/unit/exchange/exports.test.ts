// Exports for other services: their documents are valid, and their reports complete.
import { test } from 'node:test';
import { EXPORT_TARGETS } from '../../../db/schema/exchange-report.ts';
import { checkExports } from '../../support/exchange-properties.ts';

/** Other menus are tried by another number. */
const seed = Number(process.env.SEED ?? 1);

for (const target of EXPORT_TARGETS) {
  test(`${target}, exports a valid document and counts each dish once, whatever the menu`, () => {
    checkExports(target, { numRuns: 200, seed });
  });
}
