// The parts of the panel's forms that need no database.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toLocal, toUtc } from '../../../db/runtime/zone-clock.ts';
import { dish } from '../../../db/schema/dish.ts';
import { sayBroken } from '../../../db/schema/error-sentences.ts';
import { ruleTexts } from '../../../db/schema/validation/messages.ts';
import { broken, type RuleName } from '../../../db/schema/validation/rule.ts';
import { ALL_LOCALES, type Locale } from '../../../db/schema/values/locale.ts';
import { textsByKey } from '../../../db/texts/catalogues.ts';
import { compile, sayIn } from '../../../db/texts/say.ts';
import { createMinuteBound } from '../../../gateway/limits/minute-bound.ts';
import type { FormPlace } from '../../../gateway/panel/forms/draft.ts';
import { readField, readPrice } from '../../../gateway/panel/forms/read-draft.ts';
import { newOrder } from '../../../gateway/panel/writes/move.ts';

test('a moment is the same in UTC and on the restaurant’s clocks, also when they change', () => {
  const cases = [
    ['2026-01-15T11:30:00Z', 'Europe/Rome', '2026-01-15T12:30'],
    ['2026-07-15T11:30:00Z', 'Europe/Rome', '2026-07-15T13:30'],
    ['2026-03-29T01:00:00Z', 'Europe/Rome', '2026-03-29T03:00'],
    ['2026-10-25T02:00:00Z', 'Europe/Rome', '2026-10-25T03:00'],
    ['2026-12-31T23:00:00Z', 'Europe/Rome', '2027-01-01T00:00'],
    ['2026-09-06T04:00:00Z', 'America/Santiago', '2026-09-06T01:00'],
    ['2026-07-15T23:30:00Z', 'Asia/Kathmandu', '2026-07-16T05:15'],
    ['2026-07-15T03:30:00Z', 'America/New_York', '2026-07-14T23:30'],
  ] as const;
  for (const [utc, zone, local] of cases) {
    assert.equal(toLocal(utc, zone), local);
    assert.equal(toUtc(local, zone), utc, `${zone} ${local}`);
  }
  // The first of two.
  assert.equal(toUtc('2026-10-25T02:30', 'Europe/Rome'), '2026-10-25T00:30:00Z');
  const leftOut = ['2026-03-29T02:30', '2026-09-06T00:30', '2026-10-04T02:10'];
  const zones = ['Europe/Rome', 'America/Santiago', 'Australia/Lord_Howe'];
  const shown = leftOut.map((local, at) => toLocal(toUtc(local, zones[at] ?? ''), zones[at] ?? ''));
  assert.deepEqual(shown, ['2026-03-29T03:30', '2026-09-06T01:30', '2026-10-04T02:40']);
  assert.equal(toUtc('tomorrow', 'Europe/Rome'), 'tomorrow');
});

test('a price is read with a comma or a point', () => {
  const read = ['12,5', '12.50', ' 12,50 €', '1.234,50', ''].map((text) => readPrice(text));
  assert.deepEqual(read, ['12.5', '12.50', '12.50', '1234.50', '']);
  const yen = ['1,200', '1.200', '¥ 12.345.678', '1200'].map((text) => readPrice(text, 'JPY'));
  assert.deepEqual(yen, ['1200', '1200', '12345678', '1200']);
  const dinars = ['1.250', '1,250', '1,250.500'].map((text) => readPrice(text, 'KWD'));
  assert.deepEqual(dinars, ['1.250', '1.250', '1250.500']);
});

test('a list of a form is read at the places that the form names, and no others', () => {
  const sent = {
    ...{ 'variants.2.label.it': 'Bottiglia', 'variants.2.price': '40' },
    ...{ 'variants.0.label.it': 'Calice', 'variants.0.price': '8,50', 'variants.1.price': '' },
    ...{ 'variants.999.price': '1', 'variants.x.price': '1' },
  };
  let reads = 0;
  class Counted extends Map<string, string[]> {
    override get(name: string) {
      reads += 1;
      return super.get(name);
    }
  }
  const draft = new Counted(Object.entries(sent).map(([name, value]) => [name, [value]]));
  const place = { language: 'it', timezone: 'Europe/Rome', currency: 'EUR' } as FormPlace;
  // A box without its tick is not sent: the size is on sale, and the form says so.
  const onSale = { is_sold_out: false, sold_out_until: null };
  assert.deepEqual(readField('variants', dish.fields.variants, draft, place), [
    { label: { it: 'Calice' }, price: '8.50', ...onSale },
    { label: { it: 'Bottiglia' }, price: '40', ...onSale },
  ]);
  const readsOfRow = ALL_LOCALES.length + 8;
  assert.ok(reads <= 3 * readsOfRow, `${reads} reads`);
});

test('a new order changes the places between the old and the new one, and no others', () => {
  const places = (orders: number[]) => orders.map((display_order, id) => ({ id, display_order }));
  /** The new place of each record that has another one, by its id. */
  const moved = (orders: number[], from: number, to: number) =>
    newOrder(places(orders), from, to).map(({ id, display_order }) => `${id} at ${display_order}`);
  assert.deepEqual(moved([0, 1, 2, 3], 1, 2), ['2 at 1', '1 at 2']);
  assert.deepEqual(moved([5, 9, 20], 2, 0), ['2 at 5', '0 at 9', '1 at 20']);
  assert.deepEqual(moved([0, 0, 0], 0, 1), ['0 at 1', '2 at 2']);
  for (const to of [-1, 1, 3]) assert.deepEqual(moved([0, 1, 2], 1, to), []);
});

test('a restaurant’s pages send a bounded number of writes a minute, whatever others send', () => {
  let now = 0;
  const bound = createMinuteBound<number>(2, 10, () => now);
  assert.deepEqual([bound.take(1), bound.take(1), bound.take(1)], [0, 0, 60_000]);
  now = 20_000;
  assert.deepEqual([bound.take(1), bound.take(2)], [40_000, 0]);
  now = 60_000;
  assert.equal(bound.take(1), 0);
});

test('a broken rule is told in the language of the page, with its limit', () => {
  const say = sayIn('de');
  const told = [
    [broken('max', { max: 99_999 }), 'Höchstens 99999.'],
    [broken('maxLength', { max: 200 }), 'Höchstens 200 Zeichen.'],
    [broken('decimals', { max: 2 }), 'Höchstens 2 Nachkommastellen.'],
    [broken('notBefore', { date: '2026-01-31' }), 'Nicht vor dem 2026-01-31.'],
    [broken('required'), 'Das fehlt noch.'],
    [broken('menuFull'), 'Die Karte ist voll.'],
    [broken('told', { text: 'Altro.' }), 'Altro.'],
  ] as const;
  for (const [rule, german] of told) assert.equal(sayBroken(say, rule), german);
  const untold = (Object.keys(ruleTexts) as RuleName[]).filter(
    (name) => !textsByKey('de').has(`rules.${name}`),
  );
  const neverInForms = [
    ...['string', 'array', 'object', 'otherField', 'lastOwner', 'keyReused', 'told'],
  ];
  assert.deepEqual(untold, neverInForms, 'the others have texts of their own');
});

test('a text has the word that stands beside a number in its language', () => {
  const said = (locale: Locale, text: string) =>
    [0, 1, 2, 5].map((n) => compile(`{n} {n, plural, ${text}}`, locale)({ n }));
  assert.deepEqual(said('en', 'one {dish} other {dishes}'), [
    ...['0 dishes', '1 dish', '2 dishes', '5 dishes'],
  ]);
  assert.deepEqual(said('fr', 'one {plat} other {plats}'), [
    ...['0 plat', '1 plat', '2 plats', '5 plats'],
  ]);
  assert.deepEqual(said('de', 'one {Gericht} other {Gerichte}'), [
    ...['0 Gerichte', '1 Gericht', '2 Gerichte', '5 Gerichte'],
  ]);
  assert.throws(() => sayIn('en')('menu.dishes'), 'a value is missing');
});

test('a line of a French text does not begin with its colon, nor end with an opening quote', () => {
  assert.equal(sayIn('fr')('revoke.title', { name: 'A' }), 'Révoquer «\u00A0A\u00A0»\u00A0?');
  assert.equal(sayIn('en')('revoke.title', { name: 'A' }), 'Revoke “A”?');
});
