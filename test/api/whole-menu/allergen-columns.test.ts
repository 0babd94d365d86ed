// Owners' tables with one column an allergen: what a table does not say is asked, and never taken for "no".
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allergens as dictionary } from '../../../db/schema/dictionary.ts';
import { LOCALES } from '../../../db/schema/values/locale.ts';
import { tableService } from '../../support/table-service.ts';

const service = await tableService();

type Meanings = Record<string, string>;

async function importTable(lines: readonly string[], signs?: Meanings, more = '') {
  const query = signs ? `allergen_signs=${encodeURIComponent(JSON.stringify(signs))}` : '';
  return service.admin.importTable(lines.join('\n'), `?${query}${more}`);
}

/** The allergens and the traces of each dish of the menu that has one of the names. */
async function declared(names: readonly string[]) {
  const { items } = (await service.admin.get('/export')).json.data;
  return names.map((name) => {
    const dish = items.find((item: { name: { it: string } }) => item.name.it === name);
    return [dish?.allergens, dish?.traces];
  });
}

const ALL = dictionary.in('it').map(({ name }) => name);
/** A row of the whole table: cells of all fourteen columns, `no` where nothing is said. */
const row = (name: string, cells: Meanings = {}) =>
  ['A', name, '5', ...ALL.map((one) => cells[one] ?? 'no')].join(';');
const HEADER = ['Sezione', 'Piatto', 'Prezzo', ...ALL].join(';');
const [GLUTEN = '', , , , , , MILK = ''] = ALL;

describe('a table with a column for each allergen', () => {
  test('is read without a question when each cell says yes, no or traces', async () => {
    const lines = [
      HEADER,
      row('Pane', { [GLUTEN]: 'x', [MILK]: 'tracce' }),
      row('Burro', { [MILK]: 'Sì' }),
      row('Acqua'),
      row('Panna', { [MILK]: '7' }),
    ];
    const { json } = (await importTable(lines)).expect(200);
    assert.deepEqual(await declared(['Pane', 'Burro', 'Acqua', 'Panna']), [
      [['cereali_glutine'], ['latte']],
      [['latte'], []],
      [[], []],
      [['latte'], []],
    ]);
    const { columns, signs } = json.data.table;
    assert.deepEqual(columns[3], { header: GLUTEN, target: 'allergen_cereali_glutine' });
    assert.deepEqual(signs, [
      { sign: 'x', row: 2, meaning: 'contained' },
      { sign: 'no', row: 2, meaning: 'absent' },
      { sign: 'tracce', row: 2, meaning: 'traces' },
      { sign: 'si', row: 3, meaning: 'contained' },
    ]);
  });

  test('asks what an empty cell means, and takes it for no only when that is said', async () => {
    const lines = [HEADER, row('Pizza', { [GLUTEN]: 'x', [MILK]: '' })];
    const asks = (await importTable(lines)).expect(422);
    assert.deepEqual(asks.json.codes, { body: [{ rule: 'csvEmpty' }] });
    const { table, ...rest } = asks.json.data;
    assert.deepEqual([rest.applied, rest.dry_run, rest.results], [false, false, []]);
    assert.deepEqual(table.signs, [
      { sign: '', row: 2, meaning: null },
      { sign: 'x', row: 2, meaning: 'contained' },
      { sign: 'no', row: 2, meaning: 'absent' },
    ]);
    assert.deepEqual(table.columns[9], { header: MILK, target: 'allergen_latte' });
    const tried = await importTable(lines, undefined, '&dry_run=1');
    assert.deepEqual([tried.json.data.dry_run, tried.json.data.table], [true, table]);
    assert.deepEqual(await declared(['Pizza']), [[undefined, undefined]], 'nothing is imported');
    assert.equal((await importTable(lines, { '': 'unknown' })).status, 200);
    assert.deepEqual(await declared(['Pizza']), [[null, []]]);
    assert.equal((await importTable(lines, { '': 'absent' })).status, 200);
    assert.deepEqual(await declared(['Pizza']), [[['cereali_glutine'], []]]);
  });

  test('asks what an unusual sign means, and names its row and its column', async () => {
    for (const sign of ['?', '(x)', '*', 'o', 'forse', '2']) {
      const lines = [HEADER, row('Torta'), row('Flan', { [MILK]: sign })];
      const { json } = (await importTable(lines)).expect(422);
      assert.deepEqual(json.codes.body, [{ rule: 'csvSign', row: 3, header: MILK, sign }]);
      (await importTable(lines, { [sign]: 'traces' })).expect(200);
      assert.deepEqual(await declared(['Flan']), [[[], ['latte']]]);
    }
  });

  test('leaves the declaration of a dish without signs, and takes back one that it contradicts', async () => {
    await importTable([HEADER, row('Riso'), row('Orzo')]);
    const lines = [
      HEADER,
      ['A', 'Riso', '5', ...ALL.map(() => '')].join(';'),
      row('Orzo', { [GLUTEN]: 'x', [MILK]: '' }),
    ];
    assert.equal((await importTable(lines, { '': 'unknown' })).status, 200);
    assert.deepEqual(await declared(['Riso', 'Orzo']), [
      [[], []],
      [null, []],
    ]);
  });
});

test('all that is unclear is asked at once', async () => {
  const lines = ['Sezione;Piatto;Prezzo;Glutine;Latte', 'A;Orzotto;9;?;', 'A;Farro;8;(x);no'];
  const { json } = await importTable(lines);
  assert.deepEqual(json.codes.body, [
    { rule: 'csvSign', row: 2, header: 'Glutine', sign: '?' },
    { rule: 'csvEmpty' },
    { rule: 'csvSign', row: 3, header: 'Glutine', sign: '(x)' },
  ]);
  const signs = { '?': 'traces', '(X)': 'contained', '': 'absent' };
  assert.equal((await importTable(lines, signs)).status, 200, 'capitals are alike');
  assert.deepEqual(await declared(['Orzotto', 'Farro']), [
    [[], ['cereali_glutine']],
    [['cereali_glutine'], []],
  ]);
});

test('allergens without a column are asked about, too', async () => {
  const lines = ['Piatto;Prezzo;Glutine;Lattosio;Noci;Mandorle', 'Gnocchi;9;x;no;no;x'];
  const asks = await importTable(lines);
  assert.deepEqual(asks.json.codes, { body: [{ rule: 'csvEmpty' }] });
  assert.equal(asks.json.data.table.columns.length, 6);
  assert.equal((await importTable(lines, { '': 'absent' })).status, 200);
  assert.deepEqual(await declared(['Gnocchi']), [[['cereali_glutine', 'frutta_guscio'], []]]);
});

test('a title, a list of allergens beside the columns, and answers of another form', async () => {
  const titled = [HEADER.replace('Sezione;', ''), 'Dolci', ...[row('Babà').replace('A;', '')]];
  assert.equal((await importTable(titled)).status, 200, 'a title has no empty cells');
  const both = [`${HEADER};Allergeni`, `${row('Zabaione')};uova`];
  assert.deepEqual((await importTable(both)).json.codes, { allergens: [{ rule: 'distinct' }] });
  for (const [signs, field] of [
    ['[]', 'allergen_signs'],
    ['{"x":"maybe"}', 'allergen_signs.x'],
    ['no', 'allergen_signs'],
  ] as const) {
    const query = `?allergen_signs=${encodeURIComponent(signs)}`;
    (await service.admin.importTable(HEADER, query)).refuses(field);
  }
});

for (const locale of LOCALES) {
  test(`columns are found by the names of allergens in ${locale}`, async () => {
    const names = dictionary.in(locale).map(({ name }, at) => `${at + 1}. ${name.toUpperCase()}`);
    const { json } = await importTable([
      ['Piatto', 'Prezzo', ...names].join(';'),
      ['Pane', '5', ...names.map(() => 'no')].join(';'),
    ]);
    const targets = json.data.table.columns.map(({ target }: { target: string }) => target);
    const expected = dictionary.keys.map((key) => `allergen_${key}`);
    assert.deepEqual(targets.slice(2), expected);
  });
}

test('the command asks as the API does, and takes the answer', async () => {
  // Answers are kept with the header: this one is another.
  const header = HEADER.replace('Sezione', 'Categoria');
  const table = [header, row('Crema', { [MILK]: '?' })].join('\n');
  const asks = (await service.importFile(table)).ends(1);
  assert.match(asks.stdout, /^table: utf-8, separator ";".*signs of allergens: "\?" → not known/);
  assert.match(asks.stdout, /Alla riga 2, colonna Latte.*«\?».*allergen_signs/);
  const args = ['--allergen-signs', '{"?":"contained"}'];
  const done = (await service.importFile(table, args)).ends(0);
  assert.match(done.stdout, /signs of allergens: "no" → absent, "\?" → contained/);
  assert.deepEqual(await declared(['Crema']), [[['latte'], []]]);
});

test('of many signs the page shows those first that it asks for', async () => {
  const known = 'x no tracce si ja oui yes y n - 0 1 non nein'.split(' ');
  const unclear = Array.from({ length: 20 }, (_, at) => `segno ${at}`);
  const cells = [...known, ...unclear];
  const lines = [HEADER, ...cells.map((cell, at) => row(`Piatto ${at}`, { [MILK]: cell }))];
  await service.owner.get('/admin/import');
  const file = { name: 'm.csv', bytes: Buffer.from(lines.join('\n')) };
  const { text } = await service.owner.upload('/admin/import', { do: 'show' }, file);
  const signs = Array.from(text.matchAll(/name="sign\.\d+" value="([^"]*)"/g), ([, sign]) => sign);
  assert.deepEqual(signs.slice(0, 20), unclear);
  assert.equal(signs.length, 24);
});

test('the page shows what each sign is taken for, asks for the others, and keeps the answer until the end', async () => {
  const header = HEADER.replace('Sezione', 'Reparto');
  const bytes = Buffer.from([header, row('Budino', { [MILK]: '?', [GLUTEN]: '' })].join('\n'));
  const file = { name: 'm.csv', bytes };
  const send = (fields: Meanings) =>
    service.owner.upload('/admin/import', fields, file, { 'Accept-Language': 'en' });
  await service.owner.get('/admin/import');
  const asks = (await send({ do: 'show' })).expect(422);
  asks.shows(/the sign “\?” may mean several things/, /<legend>The signs for allergens<\/legend>/);
  asks.shows(/<option value="allergen_latte" selected>Allergen: Milk/);
  const signs = [...asks.text.matchAll(/name="sign\.(\d+)" value="([^"]*)"/g)];
  assert.deepEqual(new Set(signs.map(([, , sign]) => sign)), new Set(['', '?', 'no']));
  const answers: Meanings = { '': 'absent', '?': 'traces', no: 'absent' };
  const fields: Meanings = {};
  for (const [, at, sign = ''] of signs) {
    Object.assign(fields, { [`sign.${at}`]: sign, [`meaning.${at}`]: answers[sign] ?? '' });
  }
  const shown = await send({ do: 'show', ...fields });
  assert.equal(shown.status, 200, shown.text.replace(/<[^>]*>/g, ' ').slice(0, 2000));
  // The first form is the one that applies what is shown.
  const form = shown.text.slice(shown.text.indexOf('name="form_id"')).split('</form>')[0] ?? '';
  const hidden = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  const carried = Array.from(hidden, ([, name, value]) => [name, value?.replaceAll('&quot;', '"')]);
  const fieldsOfForm = { ...Object.fromEntries(carried), do: 'apply' };
  (await service.owner.upload('/admin/import', fieldsOfForm, null)).expect(303);
  assert.deepEqual(await declared(['Budino']), [[[], ['latte']]]);
});
