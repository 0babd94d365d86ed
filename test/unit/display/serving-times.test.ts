import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isServed } from '../../../db/hours/served.js';
import type { Locale } from '../../../db/schema/values/locale.ts';
import { guestTexts } from '../../../db/texts/catalogues.ts';
import { servingData, servingTimes } from '../../../gateway/display/parts/serving-times.ts';
import { html } from '../../../gateway/http/html.ts';

type Times = Parameters<typeof servingTimes>[0];

const always: Times = {
  time_visibility_enabled: false,
  hours: [],
  date_start: null,
  date_end: null,
};
const days = (...weekdays: number[]) => [{ weekdays, time_start: null, time_end: null }];
const evening = { weekdays: [5, 6], time_start: '19:00', time_end: '01:00' };
const lunch = { weekdays: null, time_start: '12:00', time_end: '14:30' };
const said = (times: Partial<Parameters<typeof servingTimes>[0]>, locale: Locale) =>
  servingTimes({ ...always, ...times }, locale, guestTexts(locale).page)
    .join(' | ')
    .replace(/[\u2009\u202f\u00a0]/g, ' ');

test('guests read days, dates and hours in their language', () => {
  assert.equal(said(always, 'it'), '');
  const evenings = { time_visibility_enabled: true, hours: [evening] };
  assert.equal(said(evenings, 'it'), 'ven, sab, 19:00 – 01:00');
  assert.equal(said({ hours: days(1, 2, 3, 4, 5, 7) }, 'en'), 'Mon – Fri, Sun');
  assert.equal(said({ hours: days(2) }, 'de'), 'Di');
  const range = { date_start: '2026-12-08', date_end: '2027-01-06' };
  assert.equal(said(range, 'en'), 'Dec 8, 2026 – Jan 6, 2027');
  assert.equal(said({ date_start: '2026-12-08' }, 'it'), 'dal 8 dic 2026');
  assert.equal(said({ date_end: '2027-01-06' }, 'fr'), 'jusqu’au 6 janv. 2027');
});

test('the page’s script reads the same as attributes', () => {
  const dates = { date_start: '2026-12-08', date_end: '2027-01-06' };
  const all: Times = { time_visibility_enabled: true, hours: [evening], ...dates };
  assert.equal(
    html`${servingData(all)}`.text,
    ' data-from="19:00" data-to="01:00" data-days="5,6" data-first="2026-12-08" data-last="2027-01-06"',
  );
  assert.equal(html`${servingData(always)}`.text, '');
  // Hours that are not in force are not told.
  assert.equal(html`${servingData({ ...always, hours: [lunch] })}`.text, '');
});

test('several windows stand in one attribute, and hold one after the other', () => {
  const both: Times = { ...always, time_visibility_enabled: true, hours: [lunch, evening] };
  assert.equal(said(both, 'it'), '12:00 – 14:30; ven, sab, 19:00 – 01:00');
  const [, json = ''] = /data-windows="(.*)"/.exec(html`${servingData(both)}`.text) ?? [];
  const windows = json.replaceAll('&quot;', '"');
  // 5 June 2026 is a Friday.
  for (const [day, time, expected] of [
    ['2026-06-04', '13:00', true],
    ['2026-06-04', '20:00', false],
    ['2026-06-05', '20:00', true],
    ['2026-06-07', '00:30', true],
    ['2026-06-08', '00:30', false],
  ] as const) {
    assert.equal(isServed({ windows }, { day, time }), expected, `${day} ${time}`);
    const dated = { windows, last: '2026-06-06' };
    assert.equal(isServed(dated, { day, time }), expected && day < '2026-06-08', `until ${day}`);
  }
  // Days alone count once, and a window of all days leaves no limit.
  assert.equal(html`${servingData({ ...both, time_visibility_enabled: false })}`.text, '');
});
