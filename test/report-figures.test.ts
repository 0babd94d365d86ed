import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, rankChange, ranksOf, shareOf } from '../gateway/analytics/reports/figures.ts';
import { rankViews } from '../gateway/analytics/reports/views.ts';

test('a share has four decimals, rounded to the nearest', () => {
  assert.deepEqual([shareOf(1, 3), shareOf(2, 3), shareOf(1, 1)], [0.3333, 0.6667, 1]);
  assert.equal(shareOf(0, 0), 0, 'of nothing');
});

test('a change has one decimal of a percent, and none from nothing', () => {
  assert.deepEqual([changeOf(4, 3), changeOf(5, 3), changeOf(0, 3)], [33.3, 66.7, -100]);
  assert.equal(changeOf(5, 0), null);
});

test('equal figures share a rank, and the next one counts them all', () => {
  const figures = [
    ['c', 5],
    ['a', 10],
    ['b', 10],
    ['d', 5],
    ['e', 1],
    ['f', 0],
  ] as const;
  assert.deepEqual(Object.fromEntries(ranksOf(figures)), { a: 1, b: 1, c: 3, d: 3, e: 5 });
  assert.deepEqual([rankChange(1, 3), rankChange(3, 1), rankChange(1, undefined)], [2, -2, null]);
});

test('of equal rank the older record comes first', () => {
  const views = ['10', '9', '100', '8'].map((key) => ({
    ...{ key, events: key === '8' ? 1 : 7, visitors: 1, previous_events: 0 },
  }));
  assert.deepEqual(
    rankViews(views).map(({ key, views: { rank } }) => [key, rank]),
    [
      ['9', 1],
      ['10', 1],
      ['100', 1],
      ['8', 4],
    ],
  );
});
