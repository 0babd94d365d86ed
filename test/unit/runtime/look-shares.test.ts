// How workers share looks that are due every second.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLookShares } from '../../../workers/housekeeping/look-shares.ts';

const INTERVAL = 1_000;
const START = 1_796_000_000_400;
const LOOKS = 12;

/** The moments at which a worker of `count` looks, whose timers end `early` ms too early. */
function looksOf(rank: number, count: number, early = 0): number[] {
  let at = START;
  const shares = createLookShares(() => at);
  shares.note({ count, rank });
  return Array.from({ length: LOOKS }, () => {
    at += shares.untilNext(INTERVAL) - early;
    return at;
  });
}

for (const count of [1, 2, 3, 4]) {
  test(`of ${count} workers one looks just after each whole interval`, () => {
    const all = Array.from({ length: count }, (_, rank) => looksOf(rank, count)).flat();
    const sorted = all.toSorted((a, b) => a - b);
    const first = Math.ceil(START / INTERVAL) * INTERVAL + 5;
    assert.deepEqual(
      sorted,
      sorted.map((_, at) => first + at * INTERVAL),
    );
  });
}

test('a timer that ends too early makes no second look', () => {
  const looks = looksOf(0, 1, 1);
  assert.deepEqual(
    looks,
    looks.map((_, at) => (looks[0] ?? 0) + at * INTERVAL),
  );
});
