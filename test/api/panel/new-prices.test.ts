// New prices for a whole section: by an amount, as an offer between hours, and with sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Response } from '../../support/http.ts';
import { formOf } from '../../support/page-forms.ts';
import { signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const dishes = ['Gricia', 'Cacio e pepe'].map((name) => dishOf(name, { price: 11 }));
const service = await panelService([
  restaurantOf('trattoria', [sectionOf('Primi', dishes), sectionOf('Dolci')]),
]);
const visitor = await signedIn(service.client);

const { sql } = service;
const dish = async (name: string) =>
  (await sql(`select * from dishes where name ->> 'it' = '${name}'`))[0];
const listPath = async (name: string) => {
  const [{ id }] = await sql(`select id from sections where name ->> 'it' = '${name}'`);
  return `/admin/menu?section=${id}`;
};

/** Opens a list and sends its form with some fields changed. */
async function press(path: string, fields: Record<string, string | string[]>): Promise<Response> {
  return visitor.edit(path, fields, 'list');
}

test('an amount and an offer between hours change a whole section, with a look at prices before', async () => {
  const path = await listPath('Primi');
  const { id } = await dish('Gricia');
  const asked = { all: '1', percent: '−0,50', by: 'amount', do: 'many-review' };
  const reviewed = await press(path, asked);
  reviewed.shows(/<h1>Prezzi: −0,50<\/h1>/, /Gricia[\s\S]*?<td>11,00<\/td><td><b>10,50<\/b>/);
  const [, list = ''] = reviewed.text.split('<details class="as-offer">');
  const form = { ...formOf(reviewed.text, 'price-review'), all: '1', by: 'amount' };
  assert.match(list, /name="offer_start" required/);
  (await visitor.post(path, { ...form, do: 'many-offer' })).expect(422).shows(/l’ora di inizio/);
  const times = { offer_start: '18:00', offer_end: '20:00', offer_days: ['1', '2'] };
  await press(path, asked);
  const more = { ...times, offer_name: 'Happy hour', do: 'many-offer' };
  (await visitor.follow(await visitor.post(path, { ...form, ...more }))).shows(/Piatti cambiati/);
  const offersOf = async () => {
    const [row] = await sql(`select offers, price from dishes where id = ${id}`);
    return row;
  };
  assert.deepEqual(await offersOf(), {
    offers: [
      {
        ...{ label_translations: { it: 'Happy hour' }, price: 10.5, weekdays: [1, 2] },
        ...{ time_start: '18:00', time_end: '20:00', date_start: null, date_end: null },
      },
    ],
    price: 11,
  });
  await visitor.follow(await press(path, { all: '1', do: 'many-no-offers' }));
  assert.deepEqual((await offersOf()).offers, []);
  await visitor.undo(await visitor.follow(await press(path, { ...asked, do: 'many-percent' })));
  for (const [percent, said] of [
    ['0', /importo diverso da 0/],
    ['0,505', /importo diverso da 0/],
    ['−11', /non costerebbe niente/],
    ['−900', /non costerebbe niente/],
  ] as const) {
    const wrong = await press(path, { ...asked, percent });
    assert.deepEqual([wrong.status, said.test(wrong.text)], [422, true], percent);
  }
  assert.equal((await dish('Gricia')).price, 11);
});

test('a percentage leaves the rest of a size as it is', async () => {
  const path = await listPath('Primi');
  const { id } = await dish('Gricia');
  const sizes = `[{"label_translations": {"it": "Mezza"}, "price": 6, "external_id": "M"},
    {"label_translations": {"it": "Intera"}, "price": 11, "volume_ml": 500, "is_sold_out": true}]`;
  await sql(`update dishes set variants = '${sizes}', price = 6 where id = ${id}`);
  // A worker reads a menu again whose restaurant has changed.
  await sql('update tenants set version = version');
  await visitor.follow(
    await press(path, { do: 'many-percent', percent: '10', chosen: [String(id)] }),
  );
  const [row] = await sql(`select variants from dishes where id = ${id}`);
  assert.deepEqual(row.variants, [
    { label_translations: { it: 'Mezza' }, price: 6.6, external_id: 'M' },
    { label_translations: { it: 'Intera' }, price: 12.1, volume_ml: 500, is_sold_out: true },
  ]);
  await sql(`update dishes set variants = '[]', price = 11 where id = ${id}`);
});
