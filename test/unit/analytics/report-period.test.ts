import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPeriod } from '../../../gateway/analytics/reports/period.ts';

/** Half past midnight in Rome, and still the day before in UTC. */
const NOW = Date.parse('2026-05-09T22:30:00Z');
const periodOf = (query: string) => {
  const { from, to, previousFrom, previousTo } = readPeriod(query, 'Europe/Rome', NOW).period;
  return [from, to, previousFrom, previousTo];
};

test('today is the restaurant’s', () => {
  const wanted = ['2026-04-11', '2026-05-10', '2026-03-12', '2026-04-10'];
  assert.deepEqual(periodOf(''), wanted);
  assert.deepEqual(periodOf('to=2026-05-10'), wanted);
});

test('from a day that is over a period goes to today, from one that is to come it is that day', () => {
  assert.deepEqual(periodOf('from=2026-05-08'), [
    ...['2026-05-08', '2026-05-10', '2026-05-05', '2026-05-07'],
  ]);
  assert.deepEqual(periodOf('from=2026-05-10'), [
    ...['2026-05-10', '2026-05-10', '2026-05-09', '2026-05-09'],
  ]);
  assert.deepEqual(periodOf('from=2026-06-01'), [
    ...['2026-06-01', '2026-06-01', '2026-05-31', '2026-05-31'],
  ]);
});
