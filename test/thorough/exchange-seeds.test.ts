// Menus that go to services and come back, for many seeds.
import { test } from 'node:test';
import { checkMenus } from '../support/exchange-properties.ts';

/** With THOROUGH as long as it gets; SEED is the first one, SEEDS says how many. */
const SEEDS = Number(process.env.SEEDS ?? (process.env.THOROUGH ? 60 : 3));
const first = Number(process.env.SEED ?? 1);

for (let seed = first; seed < first + SEEDS; seed += 1) {
  test(`exchanges, name each loss of 200 menus of seed ${seed}`, () => {
    checkMenus({ numRuns: 200, seed });
  });
}
