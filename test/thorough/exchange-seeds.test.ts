// Menus that go to services and come back, for many seeds.
import { test } from 'node:test';
import { EXPORT_TARGETS } from '../../db/schema/exchange-report.ts';
import { BOTH_WAYS, checkExports, checkRoundTrips } from '../support/exchange-properties.ts';

/** With THOROUGH as long as it gets; SEED is the first one, SEEDS says how many. */
const SEEDS = Number(process.env.SEEDS ?? (process.env.THOROUGH ? 60 : 3));
const first = Number(process.env.SEED ?? 1);
const seeds = Array.from({ length: SEEDS }, (_, at) => first + at);

for (const target of EXPORT_TARGETS) {
  test(`${target}, exports valid documents for ${SEEDS} seeds`, () => {
    for (const seed of seeds) checkExports(target, { numRuns: 200, seed });
  });
}

for (const target of BOTH_WAYS) {
  test(`${target}, out and in again, names each loss for ${SEEDS} seeds`, () => {
    for (const seed of seeds) checkRoundTrips(target, { numRuns: 200, seed });
  });
}
