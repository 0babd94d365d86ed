import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soldOutDate } from '../../../gateway/display/parts/dish.ts';

test('an end before the restaurant’s day begins names the last day, another one its time', () => {
  // Versions of Node differ in the commas and spaces that a language puts into a date.
  const write = (end: string, locale: string) =>
    soldOutDate(new Date(end), 'Europe/Rome', locale).replaceAll('\u202f', ' ').replaceAll(',', '');
  assert.equal(write('2026-07-04T02:00:00Z', 'it-IT'), 'ven 3 lug');
  assert.equal(write('2026-07-03T22:00:00Z', 'en-GB'), 'Fri 3 Jul');
  assert.equal(write('2026-07-04T08:00:00Z', 'it-IT'), 'sab 4 lug 10:00');
  assert.equal(write('2026-01-01T03:01:00Z', 'de-DE'), 'Do. 1. Jan. 04:01');
});
