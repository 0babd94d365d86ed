import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endAfterSpan, type Span } from '../../../gateway/panel/service/spans.ts';

const lunch = { time_start: '12:00', time_end: '15:00' };
const late = { time_start: '19:00', time_end: '02:00' };
const none = { opening_hours: [], closures: [], special_hours: [] };
/** In Rome, in summer: a Sunday at 21:00. */
const SUNDAY = Date.parse('2026-06-07T19:00:00Z');
type House = Parameters<typeof endAfterSpan>[4];
type Stated = Omit<House, 'special_hours'> & Partial<House>;
const end = (span: Span, house: Stated, now = SUNDAY) =>
  endAfterSpan(span, 'Europe/Rome', now, [{ time_start: '11:00', weekdays: null }], {
    special_hours: [],
    ...house,
  });

const daily = { opening_hours: [{ weekdays: null, ...lunch }], closures: [] };

test('sold out until tomorrow ends when the house opens, not when a section is served', () => {
  assert.equal(end('tomorrow', daily), '2026-06-08T10:00:00Z');
  assert.equal(end('tomorrow', none), '2026-06-08T09:00:00Z');
  assert.equal(end('today', daily), '2026-06-08T02:00:00Z');
  assert.equal(end('open', daily), 'indefinitely');
});

test('sold out until tonight ends with the next opening of the same day, else with the day', () => {
  const noon = Date.parse('2026-06-07T10:30:00Z');
  const opening_hours = [lunch, late].map((hours) => ({ weekdays: null, ...hours }));
  const twice = { opening_hours, closures: [] };
  assert.equal(end('tonight', twice, noon), '2026-06-07T17:00:00Z');
  assert.equal(end('tonight', twice), '2026-06-08T02:00:00Z');
  const unsaid = (now: number) => endAfterSpan('tonight', 'Europe/Rome', now, [], none);
  assert.equal(unsaid(noon), '2026-06-07T16:00:00Z');
  assert.equal(unsaid(SUNDAY), '2026-06-08T02:00:00Z');
});

test('sold out until tomorrow passes over days on which the house is closed', () => {
  const weekdays = [2, 3, 4, 5, 6, 7];
  const closedMondays = { opening_hours: [{ weekdays, ...lunch }], closures: [] };
  assert.equal(end('tomorrow', closedMondays), '2026-06-09T10:00:00Z');
  const closures = [{ date_start: '2026-06-08', date_end: '2026-06-14' }];
  assert.equal(end('tomorrow', { ...closedMondays, closures }), '2026-06-16T10:00:00Z');
});

test('sold out until tomorrow, said after midnight, ends at the opening of the same morning', () => {
  const nights = { opening_hours: [{ weekdays: null, ...late }], closures: [] };
  assert.equal(end('tomorrow', nights, Date.parse('2026-06-07T23:00:00Z')), '2026-06-08T17:00:00Z');
});

test('sold out until tomorrow ends when the house opens by the hours of that day alone', () => {
  const special_hours = [{ date: '2026-06-08', time_start: '17:00', time_end: '23:00' }];
  assert.equal(end('tomorrow', { ...daily, special_hours }), '2026-06-08T15:00:00Z');
});
