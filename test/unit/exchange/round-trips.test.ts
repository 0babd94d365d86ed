// Menus that go to a service and come back: the reports name everything that is lost.
import { test } from 'node:test';
import { BOTH_WAYS, checkRoundTrips } from '../../support/exchange-properties.ts';

/** Other menus are tried by another number. */
const seed = Number(process.env.SEED ?? 1);

for (const target of BOTH_WAYS) {
  test(`${target}, out and in again, loses nothing that the reports do not name`, () => {
    checkRoundTrips(target, { numRuns: 200, seed });
  });
}
