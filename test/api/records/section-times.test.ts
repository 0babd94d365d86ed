// Days and dates of sections, and the restaurant's currency.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';

type Fields = Record<string, unknown>;

const service = await adminService();
const id = (await service.client.get('/categories')).json.data[0].id;

const change = (body: Fields) => service.admin.call('PATCH', `/categories/${id}`, body);

test('a section without days and dates is served always', async () => {
  const { weekdays, date_start, date_end } = (await service.client.get(`/categories/${id}`)).json
    .data;
  assert.deepEqual([weekdays, date_start, date_end], [null, null, null]);
});

test('days are 1, Monday, to 7, in their order; none are all', async () => {
  for (const { given, weekdays } of [
    { given: [7, '1', 3], weekdays: [1, 3, 7] },
    { given: [], weekdays: null },
    { given: [1, 2, 3, 4, 5, 6, 7], weekdays: [1, 2, 3, 4, 5, 6, 7] },
    { given: null, weekdays: null },
  ]) {
    assert.deepEqual((await change({ weekdays: given })).expect(200).json.data.weekdays, weekdays);
    assert.deepEqual((await service.client.get('/menu')).json.data.sections[0].weekdays, weekdays);
  }
  const wrong: [unknown, string, string][] = [
    [[0], 'weekdays.0', 'weekdays.0 deve essere almeno 1.'],
    [[8], 'weekdays.0', 'weekdays.0 non può essere superiore a 7.'],
    [[1.5], 'weekdays.0', 'weekdays.0 deve essere un numero intero.'],
    [[1, 1], 'weekdays', 'Weekdays contiene un valore duplicato.'],
    [Array(8).fill(1), 'weekdays', 'Weekdays non può contenere più di 7 elementi.'],
    ['1', 'weekdays', 'Weekdays deve essere un array.'],
  ];
  for (const [weekdays, field, text] of wrong) {
    assert.deepEqual((await change({ weekdays })).expect(422).json.errors, { [field]: [text] });
  }
});

test('dates are days of the calendar, the last not before the first', async () => {
  const form = (field: string) => `${field} non coincide con il formato YYYY-MM-DD.`;
  for (const date of ['2026-02-30', '2026-2-3', '03/02/2026', '0000-01-01', '2026-02-03T00:00']) {
    const reply = await change({ date_start: date });
    assert.deepEqual(reply.json.errors, { date_start: [form('Date start')] }, date);
  }
  const winter = { date_start: '2026-12-08', date_end: '2027-01-06' };
  (await change(winter)).expect(200);
  const { date_start, date_end } = (await service.client.get(`/categories/${id}`)).json.data;
  assert.deepEqual({ date_start, date_end }, winter);
  const order = 'Date end deve essere una data successiva o uguale al 2026-12-08.';
  assert.deepEqual((await change({ date_end: '2026-12-07' })).json.errors, { date_end: [order] });
  assert.equal((await change({ date_end: '2026-12-08' })).status, 200);
  (await change({ date_start: '2026-12-09' })).refuses('date_end');
  assert.equal((await change({ date_start: '', date_end: null })).status, 200);
});

test('the currency is a code of ISO 4217', async () => {
  const { admin, client } = service;
  const read = async () => (await client.get('/restaurant')).json.data.currency;
  assert.equal(await read(), 'EUR');
  assert.equal((await admin.call('PATCH', '/settings', { currency: ' CHF ' })).status, 200);
  assert.equal(await read(), 'CHF');
  const text = 'Currency selezionato non è valido.';
  for (const currency of ['chf', 'XYZ', 'EURO', '€']) {
    const reply = await admin.call('PATCH', '/settings', { currency });
    assert.equal(reply.status, 422, currency);
    assert.deepEqual(reply.json.errors, { currency: [text] });
  }
  for (const currency of [null, '']) {
    const reply = await admin.call('PATCH', '/settings', { currency });
    assert.deepEqual(reply.json.errors, { currency: ['Il campo currency è richiesto.'] });
  }
});
