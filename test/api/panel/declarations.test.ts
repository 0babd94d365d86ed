// The form of a dish declares an allergen, or its absence, only when its user has said so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each } from '../../support/each.ts';
import { formOf } from '../../support/page-forms.ts';
import { signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const undeclared = { price: 9, allergens: null as never };
const restaurant = restaurantOf('trattoria', [
  sectionOf('Pizze', [
    dishOf('Marinara', undeclared),
    dishOf('Diavola', undeclared),
    dishOf('Bufala', { price: 12, allergens: ['latte', 'cereali_glutine'] }),
    dishOf('Capricciosa', { price: 11, allergens: ['latte'] }),
    dishOf('Norma', { price: 10, allergens: ['latte'] }),
  ]),
]);

const service = await panelService([restaurant]);
const visitor = await signedIn(service.client);

const rowOf = async (name: string) => {
  const text = `select * from dishes where name ->> 'it' = $1`;
  return (await service.sql(text, [name]))[0];
};
const declaration = async (name: string) => {
  const { allergens_declared, allergens, traces } = await rowOf(name);
  return { allergens_declared, allergens, traces };
};
const pathOf = async (name: string) => `/admin/menu/items/${(await rowOf(name)).id}`;
const open = async (path: string) => formOf((await visitor.get(path)).text);
const send = (path: string, changed: Record<string, string>) =>
  visitor.edit(path, { do: 'save', ...changed });
const withoutGluten = async () =>
  each((await service.client.get('/items?exclude_allergens=cereali_glutine')).json.data, 'name');

test('a dish form declares nothing when one allergen is chosen under "not declared"', async () => {
  const path = await pathOf('Marinara');
  const before = await declaration('Marinara');
  const sent = await send(path, { 'allergen.uova': 'contains', 'description.it': 'Con aglio' });
  sent.expect(422).shows(/id="f-allergens-error">Qui sotto hai scelto qualcosa/);
  const kept = formOf(sent.text);
  assert.deepEqual(kept['allergen.uova'], ['contains']);
  assert.deepEqual(kept['description.it'], ['Con aglio'], 'what else was typed is there');
  assert.deepEqual(await declaration('Marinara'), before);
  assert.ok(!(await withoutGluten()).includes('Marinara'));
  (await visitor.post(path, { ...kept, do: 'save', 'allergens.forget': '1' })).expect(303);
  assert.deepEqual(await declaration('Marinara'), before);
  assert.equal((await rowOf('Marinara')).description.it, 'Con aglio');
});

test('a dish form asks about the other allergens before some of them declare a dish', async () => {
  const path = await pathOf('Diavola');
  const asked = await send(path, { 'allergens.declared': '1', 'allergen.uova': 'contains' });
  asked.expect(422).shows(/Manca la risposta per: Cereali contenenti glutine, Crostacei, Pesce/);
  asked.shows(/Tutti gli altri: no/);
  assert.equal((await declaration('Diavola')).allergens_declared, false);
  const fields = { ...formOf(asked.text), do: 'save', 'allergens.rest': '1' };
  assert.equal((await visitor.post(path, fields)).status, 303);
  assert.deepEqual(await declaration('Diavola'), {
    ...{ allergens_declared: true, allergens: ['uova'], traces: [] },
  });
  assert.ok((await withoutGluten()).includes('Diavola'), 'gluten was denied, and on purpose');
});

test('a dish form takes a declaration back, with what it named, when that alone is chosen', async () => {
  const path = await pathOf('Bufala');
  assert.equal((await send(path, { 'allergen.soia': 'may' })).status, 303);
  assert.equal((await send(path, { 'allergens.declared': '0' })).status, 303);
  assert.deepEqual(await declaration('Bufala'), {
    ...{ allergens_declared: false, allergens: [], traces: [] },
  });
  const shown = await open(path);
  assert.deepEqual(shown['allergens.declared'], ['0']);
  assert.equal(shown['allergen.latte'], undefined, 'nothing is answered');
});

test('a dish form is refused when a declaration is taken back and changed at once', async () => {
  const path = await pathOf('Capricciosa');
  (await send(path, { 'allergens.declared': '0', 'allergen.uova': 'may' })).expect(422);
  assert.deepEqual((await declaration('Capricciosa')).allergens, ['latte']);
});

test('a trace that a program has noted stays, and can be taken away, while nothing is declared', async () => {
  const [{ id }] = await service.sql`
    update dishes set traces = '{soia}' where name ->> 'it' = 'Marinara' returning id`;
  const path = `/admin/menu/items/${id}`;
  assert.equal((await send(path, { price: '9,5' })).status, 303);
  assert.deepEqual((await declaration('Marinara')).traces, ['soia']);
  assert.equal((await send(path, { 'allergen.soia': 'no' })).status, 303);
  assert.deepEqual((await declaration('Marinara')).traces, []);
});

test('a trace that somebody else has added meanwhile is shown, and not taken away', async () => {
  const path = await pathOf('Norma');
  const opened = await open(path);
  const other = await signedIn(service.client);
  await other.edit(path, { do: 'save', 'allergen.pesce': 'may' });
  const sent = await visitor.post(path, { ...opened, do: 'save', price: '10,5' });
  sent.expect(409).shows(/ora è «Pesce \(può contenere\), Latte»/);
  (await visitor.post(path, { ...formOf(sent.text), do: 'save' })).expect(303);
  assert.deepEqual((await declaration('Norma')).traces, ['pesce']);
  assert.equal((await rowOf('Norma')).price, 10.5);
});

test('a price of 1.250 is refused in the form and in the list, with both readings', async () => {
  const path = await pathOf('Norma');
  const before = (await rowOf('Norma')).price;
  (await send(path, { price: '1.250' })).expect(422).shows(/Scrivi 1250 oppure 1,25\./);
  const { id } = await rowOf('Norma');
  const fields = { [`price.${id}`]: '1.250', do: 'prices' };
  const listed = (await visitor.edit('/admin/menu?q=norma', fields, 'list')).expect(422);
  listed.shows(/Scrivi 1250 oppure 1,25\./);
  assert.equal((await rowOf('Norma')).price, before);
});

test('a list keeps a percentage, a section and boxes that the pressed button does not use', async () => {
  const list = await visitor.get('/admin/menu?q=norma');
  const { id } = await rowOf('Norma');
  const post = (changed: Record<string, string>) =>
    visitor.post('/admin/menu?q=norma', { ...formOf(list.text, 'list'), ...changed });
  for (const [changed, words] of [
    [{ percent: '5', do: 'prices' }, /Hai scritto un cambio di prezzo/],
    [{ percent: '5', do: `hide:${id}` }, /Hai scritto un cambio di prezzo/],
    [{ section: '1', chosen: String(id), do: 'many-hide' }, /Hai scelto una sezione/],
    [{ chosen: String(id), do: 'many-move' }, /Scegli prima in quale sezione/],
    [{ chosen: String(id), do: 'prices' }, /Hai scelto dei piatti/],
  ] as [Record<string, string>, RegExp][]) {
    (await post(changed)).expect(422).shows(words);
  }
  assert.equal((await rowOf('Norma')).is_active, true);
});
