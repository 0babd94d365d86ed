// Menus that go to a service and come back: documents are valid, and the reports name every loss.
import { test } from 'node:test';
import { EXPORT_TARGETS } from '../../../db/schema/exchange-report.ts';
import { checkMenus } from '../../support/exchange-properties.ts';
import { seed } from '../../support/seed.ts';
import { often } from '../../support/thorough.ts';

for (const target of EXPORT_TARGETS) {
  test(`${target}, out and in again, loses nothing that the reports do not name`, () => {
    checkMenus({ numRuns: often(20, 200), seed }, [target]);
  });
}
