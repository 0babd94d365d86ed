import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestTexts } from '../../../db/texts/catalogues.ts';
import {
  fillSoldOut,
  houseDay,
  isForToday,
  soldOutEnd,
} from '../../../gateway/display/parts/sold-out.ts';

/** A Friday at 14:17 in Rome. */
const NOON = '2026-07-03T12:17:00Z';

/** Versions of Node differ in the commas and spaces that a language puts into a date. */
function said(end: string, language: 'it' | 'en' | 'de' | 'pl', now = NOON) {
  const [zone, locale] = ['Europe/Rome', language === 'en' ? 'en-GB' : language];
  const found = soldOutEnd(new Date(end), houseDay(new Date(now), zone), zone, locale);
  const text = fillSoldOut(guestTexts(language).page[found.text], found);
  return text.replaceAll('\u202f', ' ').replaceAll(',', '');
}

test('soldOutEnd says "for today" until the evening ends, also past midnight', () => {
  assert.equal(said('2026-07-04T02:00:00Z', 'it'), 'per oggi');
  assert.equal(said('2026-07-03T22:00:00Z', 'en'), 'for today');
  const oneAtNight = '2026-07-03T23:00:00Z';
  assert.equal(said('2026-07-04T02:00:00Z', 'de', oneAtNight), 'für heute');
});

test('soldOutEnd names an hour of today, a day of this week, and else a date', () => {
  assert.equal(said('2026-07-03T16:00:00Z', 'it'), 'fino alle 18:00');
  assert.equal(said('2026-07-05T02:00:00Z', 'it'), 'fino a sabato');
  assert.match(said('2026-07-05T08:00:00Z', 'de'), /^bis Sonntag (um )?10:00$/);
  assert.equal(said('2026-07-12T02:00:00Z', 'en'), 'until Sat 11 Jul');
  // The names of its days change behind “until”.
  assert.match(said('2026-07-05T02:00:00Z', 'pl'), /^do sob\.? 4 lip/);
});

test('isForToday is true for an end until the evening is over, and false for a later one', () => {
  const rome = { today: '2026-07-03', timezone: 'Europe/Rome' };
  for (const end of ['2026-07-03T16:00:00Z', '2026-07-04T02:00:00Z']) {
    assert.equal(isForToday(end, rome), true, end);
  }
  for (const end of ['2026-07-04T02:01:00Z', '2026-07-05T02:00:00Z', null, undefined]) {
    assert.equal(isForToday(end, rome), false, String(end));
  }
});
