// Errors of imports name the record, the row and the value, in the language of their reader.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { rows, sentTables } from '../../support/sent-tables.ts';
import { tableService } from '../../support/table-service.ts';
import { until } from '../../support/until.ts';

const service = await tableService();

const { dishes, empty, exported, taken, asked } = sentTables(() => service);
beforeEach(() => empty());

const TABLE = rows('Sezione;Piatto;Prezzo', 'A;Pane;abc', 'A;Olio;2,50', 'A;Sale;3x');
const document = {
  format: 'lavagna-menu/1',
  items: [{ external_id: 'las', name: { it: 'Lasagne', de: 'Lasagne' }, price: 'abc' }],
};

const said = {
  it: ['Riga 2, Pane, Prezzo «abc»: Price deve essere un numero.', ' (e 1 altro errore)'],
  en: ['Row 2, Pane, Prezzo “abc”: Enter a number, such as 12.50.', ' (and one more error)'],
  de: ['Zeile 2, Pane, Prezzo „abc“: ', ' (und ein weiterer Fehler)'],
  fr: ['Ligne 2, Pane, Prezzo « abc »', ' (et une autre erreur)'],
  es: ['Fila 2, Pane, Prezzo «abc»: ', ' (y otro error)'],
};

for (const [language, [first = '', others = '']] of Object.entries(said)) {
  test(`PUT /admin/import tells errors with row, dish and value to a reader of ${language}`, async () => {
    const { json } = await service.admin.call('PUT', '/import', TABLE, {
      ...{ 'Content-Type': 'text/csv', 'Accept-Language': `${language}-XX,${language};q=0.9` },
    });
    const [sentence] = json.errors['items.0.price'];
    assert.ok(sentence.replaceAll('\u00a0', ' ').startsWith(first), sentence);
    assert.equal(json.message, sentence + others);
    const reader = { 'Accept-Language': language };
    const record = await service.admin.call('PUT', '/import', document, reader);
    assert.match(record.json.errors['items.0.price'][0], /^Lasagne, .*abc.*: /);
    const { cell } = record.json.codes['items.0.price'][0];
    assert.deepEqual(cell, { name: 'Lasagne', column: '', value: 'abc' });
  });
}

test('errors are told in the default language of the restaurant without Accept-Language', async () => {
  await empty('de');
  assert.match((await asked(TABLE)).errors['items.0.price'][0], /^Zeile 2, Pane/);
  await empty('ja');
  // A gateway learns of another default language with the menu that has it.
  await until('the language is the former one', async () =>
    /^Row 2, Pane/.test((await asked(TABLE)).errors['items.0.price'][0]),
  );
  const one = await service.admin.call('POST', '/items', {});
  assert.match(one.json.message, /richiesto/, 'a single record is told in Italian, as ever');
});

test('a result that is fetched later is told to the reader who fetches it', async () => {
  const headers = { 'Content-Type': 'text/csv', Prefer: 'respond-async' };
  const sent = (await service.admin.call('PUT', '/import', TABLE, headers)).expect(202);
  const path = `/jobs/${sent.json.data.id}`;
  for (;;) {
    const french = { 'Accept-Language': 'fr' };
    const { status, json } = await service.admin.call('GET', path, undefined, french);
    if (status === 202) continue;
    assert.match(json.errors['items.0.price'][0], /^Ligne 2, Pane/);
    break;
  }
});

test('the command menu import tells errors in the language of the restaurant', async () => {
  await empty('de');
  const { stdout } = await service.importFile(TABLE);
  assert.match(stdout, /Zeile 2, Pane, Prezzo „abc“/);
  await empty('it');
});

test('a new dish with an empty price is refused by its row, or taken by without_prices', async () => {
  const table = rows('Kategorie;Name;Preis', 'Wein;leer;', 'Wein;Glas;4,50');
  const { data, codes } = await asked(table);
  assert.deepEqual(data.table.without_price, [2]);
  assert.deepEqual(codes['items.0.price'], [
    { rule: 'required', cell: { row: 2, name: 'leer', column: 'Preis', at: 2, value: '' } },
  ]);
  await taken(table, { skip_refused: '1' });
  assert.deepEqual(Object.keys(await dishes()), ['Glas']);
  await taken(table, { without_prices: '1' });
  assert.equal((await dishes()).leer?.cost, 0);
  await taken(table.replace('4,50', ''));
  assert.equal((await dishes()).Glas?.cost, 4.5, 'an empty cell takes no price away');
});

test('sections and wineries of dishes that are all refused are not made', async () => {
  const table = rows(
    'Sezione;Tipo;Cantina;Piatto;Prezzo',
    'Vini;Rossi;Gravner;Breg;abc',
    'Vini;Bianchi;;Ribolla;5',
    'Birre;Chiare;;Pils;x',
  );
  const { data } = await taken(table, { skip_refused: '1' });
  assert.deepEqual([data.counts.created, data.counts.failed], [3, 2]);
  const { categories, types, wineries } = await exported();
  const names = [...categories, ...types].map(({ name }: { name: { it: string } }) => name.it);
  assert.deepEqual([names, wineries], [['Vini', 'Bianchi'], []]);
});

test('another order of allergens, traces, additives and labels is no change', async () => {
  const item = (order: (words: string[]) => string[]) => ({
    ...{ external_id: 'a', name: { it: 'Pane' }, price: 1, category_external_id: 's' },
    allergens: order(['cereali_glutine', 'latte', 'uova']),
    traces: order(['sedano', 'soia']),
    additives: order(['colouring', 'caffeine']),
    labels: order(['vegan', 'gluten_free']),
  });
  const menu = (order: (words: string[]) => string[]) => ({
    format: 'lavagna-menu/1',
    categories: [{ external_id: 's', name: { it: 'Forno' } }],
    items: [item(order)],
  });
  const sent = menu((words) => words);
  const first = (await service.admin.call('PUT', '/import', sent)).expect(200);
  const turned = menu((words) => words.toReversed());
  for (const query of ['?dry_run=1', '']) {
    const { json } = await service.admin.call('PUT', `/import${query}`, turned);
    assert.equal(json.data.counts.updated, 0, JSON.stringify(json.data.results));
    assert.equal(json.data.version, first.json.data.version);
  }
  turned.items[0]?.allergens.pop();
  const { json } = await service.admin.call('PUT', '/import', turned);
  const { changes } = json.data.results.find(({ path }: { path: string }) => path === 'items.0');
  assert.deepEqual(Object.keys(changes), ['allergens']);
  const entry = await service.admin.get(`/versions/${json.data.version}`);
  assert.deepEqual(Object.keys(entry.json.data.changes[0].fields), ['allergens']);
});
