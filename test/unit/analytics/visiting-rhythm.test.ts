import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shiftDay } from '../../../db/runtime/day.ts';
import {
  type Evidence,
  findBusiestHour,
  findBusiestWeekday,
} from '../../../gateway/analytics/reports/findings.ts';

/** Four weeks that begin on a Friday, the last days of the period before them left out. */
const FROM = '2026-05-01';
const DAYS = Array.from({ length: 28 }, (_, index) => shiftDay(FROM, index));
const weekday = (day: string) => new Date(day).getUTCDay();

/** Days as they are found: those without visitors have no row. */
function evidenceOf(visitorsOn: (day: string) => number, hours: [number, number][] = []): Evidence {
  const before = { day: '2026-04-30', events: 9_000, visitors: 9_000 };
  const days = DAYS.map((day) => ({ day, events: visitorsOn(day), visitors: visitorsOn(day) }));
  return {
    from: FROM,
    days: [before, ...days.filter(({ visitors }) => visitors > 0)],
    hours: hours.map(([hour, visitors]) => ({ key: String(hour), events: visitors, visitors })),
    ...{ items: [], readers: [], allergens: [] },
  } as unknown as Evidence;
}

const busiestOf = (visitorsOn: (day: string) => number) =>
  findBusiestWeekday(evidenceOf(visitorsOn));

test('a weekday is busy by its average over all of its days', () => {
  const saturday = { kind: 'busiest_weekday', weekday: 6, average: 90, overall_average: 38.6 };
  assert.deepEqual(
    busiestOf((day) => (weekday(day) === 6 ? 90 : 30)),
    [saturday],
  );
});

test('days without guests are days, too', () => {
  // Of four Mondays one had a feast; on the others the restaurant was closed.
  const closed = (day: string) => weekday(day) === 1 && day !== '2026-05-11';
  const visitorsOn = (day: string) => (day === '2026-05-11' ? 300 : 100);
  const found = busiestOf((day) => (closed(day) ? 0 : visitorsOn(day)));
  assert.deepEqual(found, []);
});

test('two weeks must have been seen, and some visitors', () => {
  const weekends = (day: string) => (weekday(day) === 6 ? 90 : 30);
  const few = (day: string) => (weekday(day) === 6 ? 3 : 1);
  const until = (end: string) => busiestOf((day) => (day < end ? weekends(day) : 0));
  assert.deepEqual([until('2026-05-14').length, until('2026-05-15').length], [0, 1]);
  assert.deepEqual(busiestOf(few), []);
});

test('who stays for two hours is one of the visitors, and those before the period are none', () => {
  const once = (day: string) => (day === FROM ? 60 : 0);
  const hours: [number, number][] = [
    [12, 60],
    [13, 30],
  ];
  assert.deepEqual(findBusiestHour(evidenceOf(once, hours)), [
    { kind: 'busiest_hour', hour: 12, visitors: 60, share: 1 },
  ]);
  assert.deepEqual(findBusiestHour(evidenceOf((day) => (day === FROM ? 49 : 0), hours)), []);
});
