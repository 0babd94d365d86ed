import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locale } from '../../db/schema/locale.ts';
import { guestTexts } from '../../db/texts/catalogues.ts';
import { servingData, servingTimes } from '../../gateway/display/parts/serving-times.ts';
import { html } from '../../gateway/http/html.ts';

const always = {
  time_visibility_enabled: false,
  time_start: null,
  time_end: null,
  weekdays: null,
  date_start: null,
  date_end: null,
};
const said = (times: Partial<Parameters<typeof servingTimes>[0]>, locale: Locale) =>
  servingTimes({ ...always, ...times }, locale, guestTexts(locale).page)
    .join(' | ')
    .replace(/[\u2009\u202f\u00a0]/g, ' ');

test('guests read days, dates and hours in their language', () => {
  const evening = { time_visibility_enabled: true, time_start: '19:00', time_end: '01:00' };
  assert.equal(said(always, 'it'), '');
  assert.equal(said({ ...evening, weekdays: [5, 6] }, 'it'), 'ven, sab | 19:00 – 01:00');
  assert.equal(said({ weekdays: [1, 2, 3, 4, 5, 7] }, 'en'), 'Mon – Fri, Sun');
  assert.equal(said({ weekdays: [2] }, 'de'), 'Di');
  assert.equal(
    said({ date_start: '2026-12-08', date_end: '2027-01-06' }, 'en'),
    'Dec 8, 2026 – Jan 6, 2027',
  );
  assert.equal(said({ date_start: '2026-12-08' }, 'it'), 'dal 8 dic 2026');
  assert.equal(said({ date_end: '2027-01-06' }, 'fr'), 'jusqu’au 6 janv. 2027');
});

test('the page’s script reads the same as attributes', () => {
  const all = {
    time_visibility_enabled: true,
    time_start: '19:00',
    time_end: '01:00',
    weekdays: [5, 6],
    date_start: '2026-12-08',
    date_end: '2027-01-06',
  };
  assert.equal(
    html`${servingData(all)}`.text,
    ' data-from="19:00" data-to="01:00" data-days="5,6" data-first="2026-12-08" data-last="2027-01-06"',
  );
  assert.equal(html`${servingData(always)}`.text, '');
  // Hours that are not in force are not told.
  assert.equal(html`${servingData({ ...all, ...always, time_start: '19:00' })}`.text, '');
});
