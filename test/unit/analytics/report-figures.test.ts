import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Evidence, findTrends } from '../../../gateway/analytics/reports/findings.ts';
import { rankViews } from '../../../gateway/analytics/reports/overview.ts';
import {
  changeOf,
  rankChange,
  ranksOf,
  shareOf,
} from '../../../gateway/analytics/reports/report.ts';

test('a share has four decimals, rounded to the nearest', () => {
  assert.deepEqual([shareOf(1, 3), shareOf(2, 3), shareOf(1, 1)], [0.3333, 0.6667, 1]);
  assert.equal(shareOf(0, 0), 0, 'of nothing');
  // Halves, which a quotient cannot hold exactly, are rounded up.
  const halves = [571, 563, 585].map((part) => shareOf(part, 4_000));
  assert.deepEqual(halves, [0.1428, 0.1408, 0.1463]);
});

test('a change has one decimal of a percent, and none from nothing', () => {
  assert.deepEqual([changeOf(4, 3), changeOf(5, 3), changeOf(0, 3)], [33.3, 66.7, -100]);
  assert.equal(changeOf(5, 0), null);
  assert.equal(changeOf(403, 80), 403.8, 'from 403.75');
});

test('equal figures share a rank, and the next one counts them all', () => {
  const figures = Object.entries({ c: 5, a: 10, b: 10, d: 5, e: 1, f: 0 });
  assert.deepEqual(Object.fromEntries(ranksOf(figures)), { a: 1, b: 1, c: 3, d: 3, e: 5 });
  assert.deepEqual([rankChange(1, 3), rankChange(3, 1), rankChange(1, undefined)], [2, -2, null]);
});

test('of equal rank the older record comes first', () => {
  const views = ['10', '9', '100', '8'].map((key) => ({
    ...{ key, events: key === '8' ? 1 : 7, visitors: 1, previous_events: 0 },
  }));
  const ranked = rankViews(views).map(({ key, views: { rank } }) => `${key} at ${rank}`);
  assert.deepEqual(ranked, ['9 at 1', '10 at 1', '100 at 1', '8 at 4']);
});

test('nothing is said to fall whose views have risen, or the other way round', () => {
  const found = (...views: [now: number, before: number][]) => {
    const dishes = new Map(views.map((_, id) => [id, { id }]));
    const items = views.map(([events, previous_events], id) => ({
      ...{ key: `${id}`, events, previous_events },
    }));
    const evidence = { menu: { dishes, name: () => 'x' }, items };
    return findTrends(evidence as unknown as Evidence).map((figures) => figures.kind);
  };
  assert.deepEqual(found([150, 100], [50, 100]), ['rising_item', 'falling_item']);
  assert.deepEqual(found([150, 100], [450, 100]), ['rising_item']);
  assert.deepEqual(found([100, 150], [100, 450]), ['falling_item']);
});
