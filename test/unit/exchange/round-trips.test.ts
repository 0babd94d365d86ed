// Menus that go to a service and come back: documents are valid, and the reports name every loss.
import { test } from 'node:test';
import { EXPORT_TARGETS } from '../../../db/schema/exchange-report.ts';
import { checkMenus } from '../../support/exchange-properties.ts';

/** Other menus are tried by another number. */
const seed = Number(process.env.SEED ?? 1);

for (const target of EXPORT_TARGETS) {
  test(`${target}, out and in again, loses nothing that the reports do not name`, () => {
    checkMenus({ numRuns: 200, seed }, [target]);
  });
}
