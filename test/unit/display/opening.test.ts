import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hours, openingState, sayOpening } from '../../../db/hours/opening.js';
import { localMoment } from '../../../db/hours/served.js';
import { ALL_LOCALES } from '../../../db/schema/values/locale.ts';
import { guestLanguage, guestTexts } from '../../../db/texts/catalogues.ts';

/** Lunch and dinner from Tuesday to Saturday, dinner past midnight at the weekend; Sunday lunch. */
const HOURS: Hours = {
  opening_hours: [
    { weekdays: [2, 3, 4, 5, 6, 7], time_start: '12:00', time_end: '15:00' },
    { weekdays: [2, 3, 4], time_start: '19:00', time_end: '23:00' },
    { weekdays: [5, 6], time_start: '19:00', time_end: '02:00' },
  ],
  closures: [{ date_start: '2026-08-10', date_end: '2026-08-25', text: 'Ferie' }],
};

const at = (day: string, time: string) => ({ day, time });
const { page: english } = guestTexts('en');
const say = (hours: Hours, day: string, time: string, locale = 'en') => {
  const now = at(day, time);
  return sayOpening(openingState(hours, now), now, guestTexts(locale).page, locale);
};

// 2 June 2026 is a Tuesday.
test('openingState names the end of the present hours, and the next beginning, of the same day', () => {
  const day = '2026-06-02';
  const lunch = { isOpen: true, change: at(day, '15:00'), closure: null };
  assert.deepEqual(openingState(HOURS, at(day, '12:00')), lunch);
  const afternoon = { isOpen: false, change: at(day, '19:00'), closure: null };
  assert.deepEqual(openingState(HOURS, at(day, '15:00')), afternoon);
});

test('openingState keeps hours past midnight open, and knows the day of the next ones', () => {
  assert.equal(say(HOURS, '2026-06-05', '23:30'), 'Open until 02:00');
  assert.equal(say(HOURS, '2026-06-06', '01:59'), 'Open until 02:00');
  assert.equal(say(HOURS, '2026-06-06', '02:00'), 'Closed, opens at 12:00');
  assert.equal(say(HOURS, '2026-06-07', '15:00'), 'Closed, opens Tuesday at 12:00');
});

test('openingState names a closure, and looks behind it for the next hours', () => {
  const state = openingState(HOURS, at('2026-08-12', '12:30'));
  assert.equal(state.closure?.text, 'Ferie');
  assert.deepEqual(state.change, at('2026-08-26', '12:00'));
  const format = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long' });
  const day = format.format(new Date('2026-08-26'));
  assert.equal(say(HOURS, '2026-08-12', '12:30'), `Closed, opens ${day} at 12:00`);
  // The evening before it goes on past midnight.
  const closed = { ...HOURS, closures: [{ date_start: '2026-06-06', date_end: null }] };
  assert.equal(say(closed, '2026-06-06', '01:00'), 'Open until 02:00');
});

test('openingState joins hours that follow each other, and finds no end of hours without one', () => {
  const daily = (time_start: string, time_end: string) => ({
    weekdays: null,
    time_start,
    time_end,
  });
  const opening_hours = [daily('15:00', '22:00'), daily('10:00', '15:00')];
  assert.equal(say({ opening_hours, closures: [] }, '2026-06-02', '11:00'), 'Open until 22:00');
  const always: Hours = { opening_hours: [daily('00:00', '00:00')], closures: [] };
  const open = { isOpen: true, change: null, closure: null };
  assert.deepEqual(openingState(always, at('2026-06-02', '11:00')), open);
  assert.equal(say(always, '2026-06-02', '11:00'), english.open);
});

test('openingState knows nothing of a restaurant without hours but its closures', () => {
  const none: Hours = { opening_hours: [], closures: HOURS.closures };
  assert.equal(openingState(none, at('2026-06-02', '11:00')).isOpen, null);
  assert.equal(say(none, '2026-06-02', '11:00'), '');
  assert.equal(say(none, '2026-08-25', '11:00'), english.closedNow);
});

test('openingState takes the hours of a single day in place of the week’s and of a closure', () => {
  // 31 December 2026 is a Thursday, on which the house closes at 23:00.
  const special_hours = [
    { date: '2026-12-31', time_start: '20:00', time_end: '04:00' },
    { date: '2026-12-31', time_start: '11:00', time_end: '13:00' },
  ];
  const closures = [{ date_start: '2026-12-24', date_end: '2027-01-06' }];
  const special = { ...HOURS, special_hours };
  const closed = { ...special, closures };
  for (const hours of [special, closed]) {
    assert.equal(say(hours, '2026-12-31', '12:30'), 'Open until 13:00');
    assert.equal(say(hours, '2026-12-31', '14:00'), 'Closed, opens at 20:00');
    assert.equal(say(hours, '2026-12-31', '23:30'), 'Open until 04:00');
    assert.equal(say(hours, '2027-01-01', '03:59'), 'Open until 04:00');
  }
  assert.equal(say(special, '2026-12-30', '22:30'), 'Open until 23:00');
  // The next opening after a closed week is that of the single day.
  const { change } = openingState(closed, at('2026-12-26', '12:00'));
  assert.deepEqual(change, at('2026-12-31', '11:00'));
});

test('openingState knows a house by its single days alone where it states no week', () => {
  const special_hours = [{ date: '2026-12-31', time_start: '20:00', time_end: '04:00' }];
  const none: Hours = { opening_hours: [], closures: [], special_hours };
  assert.equal(openingState(none, at('2026-12-31', '21:00')).isOpen, true);
  assert.equal(openingState(none, at('2026-12-31', '12:00')).isOpen, false);
  assert.equal(openingState(none, at('2027-01-02', '12:00')).isOpen, null);
});

test('openingState follows the clocks of the restaurant on the night in which they change', () => {
  const opening_hours = [{ weekdays: [6], time_start: '18:00', time_end: '03:00' }];
  const bar: Hours = { opening_hours, closures: [] };
  // On 25 October 2026 clocks in Rome show 02:30 twice.
  for (const utc of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']) {
    const now = localMoment(Date.parse(utc), 'Europe/Rome');
    assert.deepEqual([now.time, openingState(bar, now).isOpen], ['02:30', true]);
  }
});

test('sayOpening leaves no gap in any language', () => {
  for (const locale of ALL_LOCALES) {
    const spoken = guestLanguage(locale);
    for (const moment of ['2026-06-02 12:30', '2026-06-02 16:00', '2026-06-07 16:00']) {
      const [day = '', time = ''] = moment.split(' ');
      const said = say(HOURS, day, time, spoken);
      assert.match(said, /\d\d:\d\d/, `${locale}: ${said}`);
      assert.doesNotMatch(said, /[{}]/, locale);
    }
  }
});
