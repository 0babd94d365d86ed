// Tables with a mistake: none changes a dish that it does not name, and none deletes one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableService } from '../support/table-service.ts';

const service = await tableService();
const HEADER = ['id', 'Sezione', 'Piatto', 'Formato', 'Prezzo', 'Allergeni', 'Attivo'];
const ROWS = [
  ['11', 'Primi', 'Gricia', '', '12,00', 'glutine, latte', 'sì'],
  ['12', 'Primi', 'Carbonara', '', '13,00', 'glutine, uova', 'sì'],
  ['13', 'Secondi', 'Saltimbocca', '', '18,50', '', 'sì'],
  ['14', 'Secondi', 'Coda', '', '19,00', 'sedano', 'no'],
  ['15', 'Vini', 'Frascati', 'Calice', '5,00', 'solfiti', 'sì'],
  ['15', 'Vini', 'Frascati', 'Bottiglia', '22,00', 'solfiti', 'sì'],
  ['16', 'Dolci', 'Babà', '', '6,00', 'glutine, uova, latte', 'sì'],
];
type Table = readonly (readonly string[])[];
const TABLE: Table = [HEADER, ...ROWS];
const write = (table: Table) => table.map((cells) => cells.join(';')).join('\n');

const send = (table: string, query: string) =>
  service.admin.call('PUT', `/import?${query}`, table, { 'Content-Type': 'text/csv' });

const none = { format: 'lavagna-menu/1', categories: [], items: [], wineries: [], types: [] };
for (const query of ['', '?delete_missing=all']) {
  await service.admin.call('PUT', `/import${query}`, none);
}
(await send(write(TABLE), '')).expect(200);

/** The table with one row changed, or one cell of it. */
const changed = (row: number, change: (cells: readonly string[]) => readonly string[]): Table =>
  TABLE.map((cells, at) => (at === row ? change(cells) : cells));
const cell = (row: number, column: number, text: string): Table =>
  changed(row, (cells) => cells.with(column, text));
const row = (at: number, cells: readonly string[]): Table => [
  ...[...TABLE.slice(0, at), cells],
  ...TABLE.slice(at),
];
const without = (column: number): Table => TABLE.map((cells) => cells.toSpliced(column, 1));
const blank = HEADER.map(() => '');

const mutations: [what: string, table: Table][] = [
  ['a price that is a word', cell(1, 4, 'dodici')],
  ['a price with two signs', cell(2, 4, '1,3,00')],
  ['a failed formula in a price', cell(2, 4, '#VALORE!')],
  ['a failed formula in a name', cell(3, 2, '#REF!')],
  ['a failed formula in a section', cell(3, 1, '#N/A')],
  ['a name that is empty', cell(1, 2, '')],
  ['a section that is empty', cell(4, 1, '')],
  ['a section that is empty in the first row', cell(1, 1, '')],
  ['a merged section', cell(2, 1, '').map((cells, at) => (at === 4 ? cells.with(1, '') : cells))],
  ['a merged name of a dish with sizes', changed(6, (cells) => cells.with(1, '').with(2, ''))],
  ['a merged price', cell(2, 4, '')],
  ['an id of another dish', cell(1, 0, '16')],
  ['an id that is a word', cell(1, 0, 'abc')],
  ['a header that stands there twice', row(4, HEADER)],
  ['a header in the last row', [...TABLE, HEADER]],
  ['two columns of prices', TABLE.map((cells, at) => [...cells, at === 0 ? 'Prezzo' : '99,00'])],
  ['two columns of names', TABLE.map((cells, at) => [...cells, at === 0 ? 'Nome' : 'Altro'])],
  ['no header', ROWS],
  ['no column of prices', without(4)],
  ['no column of names', without(2)],
  ['no column of sections', without(1)],
  ['no column of sizes', without(3)],
  ['cells that moved to the right', changed(3, (cells) => ['', ...cells.slice(0, -1)])],
  ['cells that moved to the left', changed(3, (cells) => [...cells.slice(1), ''])],
  ['a row of sums', [...TABLE, ['', '', 'Totale', '', '96,50', '', '']]],
  ['a row of notes', [...TABLE, ['Prezzi con IVA', ...blank.slice(1)]]],
  ['an allergen that is none', cell(1, 5, 'glutine, gelosia')],
  ['codes among the allergens', cell(1, 5, '1, 7')],
  ['a word that is no answer', cell(1, 6, 'forse')],
  ['columns in another order', TABLE.map((cells) => cells.toReversed())],
  ['a cell too many', changed(2, (cells) => [...cells, 'x'])],
  ['a quote that stays open', cell(3, 2, '"Saltimbocca')],
];

const dishesNow = async () => (await service.admin.get('/export')).json.data.items;

for (const [what, table] of mutations) {
  test(`a table changes no dish that it does not name, and deletes none: ${what}`, async () => {
    const present = await dishesNow();
    const text = write(table);
    const answer = await send(text, 'dry_run=1&delete_missing=all&skip_refused=1');
    const { results = [], counts } = answer.json.data ?? {};
    const nameOf = (dish: number) =>
      present.find(({ id }: { id: number }) => id === dish)?.name.it as string | undefined;
    for (const { outcome, resource, id, changes } of results) {
      if (resource !== 'items' || outcome !== 'updated') continue;
      const name = String(nameOf(id));
      assert.ok(text.includes(name), `${name}: ${JSON.stringify(changes)}`);
      assert.ok(!('allergens' in changes), `${name}: ${JSON.stringify(changes)}`);
    }
    if (counts?.failed > 0) assert.equal(counts.deleted, 0);
    assert.deepEqual(await dishesNow(), present, 'a dry run changes nothing');
  });
}
