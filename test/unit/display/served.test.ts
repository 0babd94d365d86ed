import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isServed, localMoment, type ServingTimes } from '../../../db/hours/served.js';

const ROME = 'Europe/Rome';

/** Asserts for each moment, in UTC, whether a section is served. */
function check(times: ServingTimes, moments: Record<string, boolean>, zone = ROME): void {
  for (const [moment, expected] of Object.entries(moments)) {
    const now = localMoment(Date.parse(moment), zone);
    assert.equal(isServed(times, now), expected, `${moment}: ${now.day} ${now.time}`);
  }
}

test('a section without times is always served', () => {
  check({}, { '2026-06-01T00:00:00Z': true, '2026-12-31T23:30:00Z': true });
});

test('hours include their begin and exclude their end', () => {
  check(
    { from: '12:00', to: '15:00' },
    {
      '2026-06-01T09:59:59Z': false,
      '2026-06-01T10:00:00Z': true,
      '2026-06-01T12:59:59Z': true,
      '2026-06-01T13:00:00Z': false,
    },
  );
});

test('hours over midnight go on until the next morning', () => {
  check(
    { from: '22:00', to: '02:00' },
    {
      '2026-06-01T19:59:00Z': false,
      '2026-06-01T20:00:00Z': true,
      '2026-06-01T22:00:00Z': true,
      '2026-06-01T23:59:00Z': true,
      '2026-06-02T00:00:00Z': false,
    },
  );
});

test('hours whose begin is their end last for the whole day', () => {
  check(
    { from: '18:00', to: '18:00' },
    { '2026-06-01T15:59:00Z': true, '2026-06-01T16:00:00Z': true },
  );
  check(
    { from: '00:00', to: '24:00' },
    { '2026-06-01T21:59:00Z': true, '2026-06-01T22:00:00Z': true },
  );
});

test('weekdays are those of the restaurant’s time zone', () => {
  // 1 June 2026 is a Monday, which begins in Rome at 22:00 UTC.
  const monday = { days: '1' };
  check(monday, {
    '2026-05-31T21:59:00Z': false,
    '2026-05-31T22:00:00Z': true,
    '2026-06-01T21:59:00Z': true,
    '2026-06-01T22:00:00Z': false,
  });
  check(
    monday,
    { '2026-06-01T03:59:00Z': false, '2026-06-01T04:00:00Z': true },
    'America/New_York',
  );
  check({ days: '6,7' }, { '2026-06-06T12:00:00Z': true, '2026-06-07T12:00:00Z': true });
});

test('the night after midnight counts as the weekday on which it began', () => {
  // Friday is 5 June.
  check(
    { from: '22:00', to: '02:00', days: '5' },
    {
      '2026-06-04T23:00:00Z': false,
      '2026-06-05T20:00:00Z': true,
      '2026-06-05T23:30:00Z': true,
      '2026-06-06T00:00:00Z': false,
      '2026-06-06T20:00:00Z': false,
    },
  );
});

test('a range of dates includes its first and its last day', () => {
  check(
    { first: '2026-06-02', last: '2026-06-04' },
    {
      '2026-06-01T21:59:00Z': false,
      '2026-06-01T22:00:00Z': true,
      '2026-06-04T21:59:00Z': true,
      '2026-06-04T22:00:00Z': false,
    },
  );
});

test('a range of dates may be open at either end', () => {
  check({ first: '2026-06-02' }, { '2026-06-01T12:00:00Z': false, '2031-01-01T12:00:00Z': true });
  check({ last: '2026-06-02' }, { '2020-01-01T12:00:00Z': true, '2026-06-03T12:00:00Z': false });
});

test('the last evening of a range goes on after midnight, and none before the first does', () => {
  check(
    { from: '19:00', to: '01:00', first: '2026-06-02', last: '2026-06-03' },
    {
      '2026-06-01T22:30:00Z': false,
      '2026-06-02T17:00:00Z': true,
      '2026-06-03T22:59:00Z': true,
      '2026-06-03T23:00:00Z': false,
      '2026-06-04T17:00:00Z': false,
    },
  );
});

test('an evening goes on over the turn of the year', () => {
  check(
    { from: '20:00', to: '03:00', days: '4', first: '2026-12-31', last: '2026-12-31' },
    {
      '2026-12-31T18:59:00Z': false,
      '2026-12-31T19:00:00Z': true,
      '2026-12-31T23:30:00Z': true,
      '2027-01-01T01:59:00Z': true,
      '2027-01-01T02:00:00Z': false,
      '2027-01-01T19:30:00Z': false,
    },
  );
});

test('a range of dates over the turn of the year is one range', () => {
  check(
    { first: '2026-12-08', last: '2027-01-06' },
    {
      '2026-12-31T22:59:00Z': true,
      '2026-12-31T23:00:00Z': true,
      '2027-01-06T22:59:00Z': true,
      '2027-01-06T23:00:00Z': false,
    },
  );
});

test('when clocks go forward, hours that end in the missing hour end with it', () => {
  // 02:00 becomes 03:00 at 01:00 UTC on 29 March.
  check(
    { from: '22:00', to: '02:30', days: '6' },
    {
      '2026-03-28T21:00:00Z': true,
      '2026-03-29T00:59:59Z': true,
      '2026-03-29T01:00:00Z': false,
      '2026-03-29T01:30:00Z': false,
    },
  );
});

test('when clocks go forward, hours that begin in the missing hour begin after it', () => {
  check(
    { from: '02:30', to: '04:00' },
    { '2026-03-29T00:59:59Z': false, '2026-03-29T01:00:00Z': true, '2026-03-29T02:00:00Z': false },
  );
});

test('when clocks go back, what ends in the repeated hour is served in it twice', () => {
  // 03:00 becomes 02:00 at 01:00 UTC on 25 October.
  check(
    { from: '22:00', to: '02:30', days: '6' },
    {
      '2026-10-25T00:29:00Z': true,
      '2026-10-25T00:30:00Z': false,
      '2026-10-25T01:00:00Z': true,
      '2026-10-25T01:29:00Z': true,
      '2026-10-25T01:30:00Z': false,
    },
  );
});

test('days of 23 and of 25 hours are whole days', () => {
  check(
    { days: '7' },
    {
      '2026-03-28T22:59:00Z': false,
      '2026-03-28T23:00:00Z': true,
      '2026-03-29T21:59:00Z': true,
      '2026-03-29T22:00:00Z': false,
      '2026-10-24T21:59:00Z': false,
      '2026-10-24T22:00:00Z': true,
      '2026-10-25T22:59:00Z': true,
      '2026-10-25T23:00:00Z': false,
    },
  );
});
