// Tables as owners have them, of five countries, are imported without an edit.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { each } from '../support/each.ts';
import { type OwnersTable, ownersTables } from '../support/owners-tables.ts';
import { plainText } from '../support/page-forms.ts';
import type { TableItem } from '../support/sent-tables.ts';
import { tableService } from '../support/table-service.ts';
import { workbook } from '../support/workbook.ts';

const service = await tableService();

const english = { 'Accept-Language': 'en' };
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface Menu {
  items: (TableItem & { vintage: number | null })[];
  categories: { name: TableItem['name'] }[];
}
const exported = async (): Promise<Menu> => (await service.admin.get('/export')).json.data;
async function clear(language: string) {
  const locales = { supported_locales: ['it', 'en', 'fr', 'de', 'es'], default_locale: language };
  await service.admin.call('PUT', '/settings', locales);
  const none = { format: 'lavagna-menu/1', categories: [], items: [], wineries: [], types: [] };
  (await service.admin.call('PUT', '/import?delete_missing=all', none)).expect(200);
}
type Table = Pick<OwnersTable, 'file' | 'bytes'>;
const importTable = ({ file, bytes }: Table, query = '') =>
  service.admin.call('PUT', `/import${query}`, bytes, {
    'Content-Type': file.endsWith('.xlsx') ? XLSX : 'text/csv',
  });
const importFile = ({ file, bytes }: Table, args: string[] = []) =>
  service.importFile(bytes, args, file);
const upload = async (file: string, bytes: Buffer, fields: Record<string, string> = {}) => {
  await service.owner.get('/admin/import');
  const form = { do: 'show', ...fields };
  return service.owner.upload('/admin/import', form, { name: file, bytes }, english);
};

describe('a table is imported without an edit, by every door, and twice changes nothing', () => {
  for (const table of ownersTables) {
    test(table.what, async () => {
      const { language, sections, dishes } = table;
      await clear(language);
      const page = await upload(table.file, table.bytes);
      assert.equal(page.status, 200, page.text.replace(/<[^>]*>/g, ' ').slice(0, 3000));
      assert.match(page.text, /value="apply"/);
      const dry = await importFile(table, ['--dry-run']);
      assert.equal(dry.code, 0, dry.stdout);
      (await importTable(table)).expect(200);
      const menu = await exported();
      const titles = menu.categories.map(({ name }) => name[language]);
      assert.deepEqual(titles, sections);
      const found = menu.items.map((item): [string, number | Record<string, number>] => [
        [item.name[language], item.vintage].filter(Boolean).join(' '),
        item.variants.length === 0
          ? item.price
          : Object.fromEntries(item.variants.map((one) => [one.label[language], one.price])),
      ]);
      assert.deepEqual(Object.fromEntries(found), dishes);
      const again = await importTable(table);
      assert.equal(again.json.data.counts.unchanged, menu.items.length);
      assert.equal(again.json.data.results.length, menu.items.length);
    });
  }
});

test('allergens are read by name and word, and an unknown word is refused', async () => {
  await clear('it');
  const of = async (cell: string) => {
    const bytes = Buffer.from(`Sezione;Piatto;Prezzo;Allergeni\nA;Pane;1;${cell}\n`);
    const { json } = await importTable({ file: 'a.csv', bytes });
    return json.success ? (await exported()).items[0]?.allergens : Object.keys(json.errors);
  };
  assert.deepEqual(await of('Glutine, Latte'), ['cereali_glutine', 'latte']);
  assert.deepEqual(await of('1. Glutine, 7 latte e uova'), ['cereali_glutine', 'latte', 'uova']);
  assert.deepEqual(await of('Milch / Eier'), ['latte', 'uova']);
  assert.deepEqual(await of('Semi di sesamo'), ['sesamo']);
  assert.deepEqual(await of('nessuno'), []);
  assert.equal(await of(''), null);
  // Signs alone do not say that a dish contains none of them, and shellfish may be two of them.
  for (const cell of ['latte e altro', '/', '•', 'shellfish', 'senza glutine', 'ACG']) {
    const errors = (await of(cell)) as string[];
    assert.ok(errors.length > 0 && errors.every((key) => /^items\.0\.allergens/.test(key)), cell);
  }
});

test('a price beside columns of sizes is one more size, unless it is the price of one', async () => {
  await clear('it');
  const lines = [
    'Sezione;Vino;Prezzo;Calice;Mezza',
    'Vini;Frascati;18,00;5,00;',
    'Vini;Marino;;4,50;',
    'Vini;Cesanese;20;6;12,00',
    'Vini;Passito;7;7,00;15',
    'Vini;Chinotto;3;;',
  ];
  const bytes = Buffer.from(lines.join('\n'));
  assert.equal((await importTable({ file: 'vini.csv', bytes })).status, 200);
  const { items } = await exported();
  const found = items.map(({ name, price, variants }) => [
    ...[name.it, price],
    ...variants.flatMap((one) => [one.label.it, one.price]),
  ]);
  assert.deepEqual(found, [
    ['Frascati', 5, 'Prezzo', 18, 'Calice', 5],
    ['Marino', 4.5],
    ['Cesanese', 6, 'Prezzo', 20, 'Calice', 6, 'Mezza', 12],
    ['Passito', 7, 'Calice', 7, 'Mezza', 15],
    ['Chinotto', 3],
  ]);
});

test('texts in other languages stay when a table without them is imported again', async () => {
  await clear('it');
  const bytes = Buffer.from('Sezione;Piatto;Prezzo\nA;Pane;1\n');
  await importTable({ file: 'a.csv', bytes });
  const [{ id } = { id: 0 }] = (await service.admin.get('/items')).json.data;
  const name = { it: 'Pane', de: 'Brot' };
  await service.admin.call('PUT', `/items/${id}`, { name });
  const dearer = Buffer.from('Sezione;Piatto;Prezzo\na; PANE ;2\n');
  await importTable({ file: 'a.csv', bytes: dearer });
  const { items } = await exported();
  assert.deepEqual(items[0]?.name, { it: 'PANE', de: 'Brot' });
  assert.equal(items[0]?.price, 2);
  assert.equal(items.length, 1);
});

describe('the columns of a table in the panel', () => {
  const table = Buffer.from('Reparto;Descr. breve;Listino A;Listino B\nBar;Spritz;5,00;7,00\n');
  const select = (page: string, at: number) => {
    const [, options = ''] =
      new RegExp(`<select[^>]*name="column\\.${at}"[^>]*>(.*?)</select>`, 's').exec(page) ?? [];
    return /value="([^"]*)" selected/.exec(options)?.[1];
  };

  test('those that no name explains are chosen by the owner, and kept for the next table', async () => {
    await clear('it');
    const page = await upload('bar.csv', table);
    assert.equal(select(page.text, 0), 'section');
    assert.equal(select(page.text, 1), '?', 'nothing is said of it yet');
    const chosen = {
      'column.0': 'section',
      'column.1': 'name_it',
      'column.2': 'price',
      'column.3': '',
    };
    const form = { do: 'show', ...chosen };
    const shown = (await service.owner.upload('/admin/import', form, null, english)).expect(200);
    assert.equal(select(shown.text, 2), 'price');
    assert.match(shown.text, /<td>Spritz<\/td><td>5\.00<\/td>/);
    const [, etag = ''] = /name="etag" value="(&quot;v\d+&quot;)"/.exec(shown.text) ?? [];
    const [apply = ''] = /<form(?:(?!<form).)*value="apply"/s.exec(shown.text) ?? [];
    const hidden = Object.fromEntries(
      Array.from(
        apply.matchAll(/name="(column\.\d+)" value="([^"]*)"/g),
        ([, name = '', value = '']) => [name, value],
      ),
    );
    assert.deepEqual(hidden, chosen);
    const fields = { do: 'apply', etag: plainText(etag), ...hidden };
    (await service.owner.upload('/admin/import', fields, null, english)).expect(303);
    assert.equal((await exported()).items[0]?.price, 5);
    const dearer = table.toString().replace('5,00;7,00', '6;8');
    const next = await upload('bar.csv', Buffer.from(dearer));
    assert.equal(select(next.text, 1), 'name', 'in the language of the table');
    assert.equal(select(next.text, 3), '');
    const other = await importTable({ file: 'bar.csv', bytes: table }, '?dry_run=1');
    const targets = each(other.json.data.table.columns as { target: string | null }[], 'target');
    assert.deepEqual(targets, ['section', 'name_it', 'price', null]);
  });

  test('the API and the command line take the meaning of columns by their headers', async () => {
    await clear('it');
    const columns = JSON.stringify({ 'Descr. breve': 'name_it', 'Listino B': 'price' });
    const own = { file: 'b.csv', bytes: table };
    const send = (meaning: string) => importTable(own, `?columns=${encodeURIComponent(meaning)}`);
    (await send(columns)).expect(200);
    assert.equal((await exported()).items[0]?.price, 7);
    const told = await importFile(own, ['--columns', columns, '--dry-run']);
    assert.match(told.stdout, /Listino B → price/);
    for (const bad of [
      'x',
      '[]',
      '{"a":1}',
      '{"Listino A":"nothing"}',
      '{"Listino A":"price","Listino B":"price"}',
    ]) {
      assert.equal((await send(bad)).status, 422, bad);
    }
  });
});

describe('workbooks that are made to take memory or time are refused', () => {
  const sheet = (cells: string) =>
    workbook([], true, `<worksheet><sheetData>${cells}</sheetData></worksheet>`);
  const cells =
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
  const wide =
    '<row r="1"><c r="XFD1"><v>1</v></c></row><row r="20000"><c r="A20000"><v>1</v></c></row>';
  const bombs: [what: string, bytes: Buffer][] = [
    ['65 MB of blanks', sheet(' '.repeat(65 * 1_048_576))],
    ['a cell in the last corner', sheet(cells)],
    ['a cell in the last column, and one in the last row of a table', sheet(wide)],
    ['a column of six letters', sheet('<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>')],
    ['the same behind a prefix', sheet('<x:row><x:c x:r="&#90;ZZZZZ1"><v>1</v></x:c></x:row>')],
    ['a row of ten digits', sheet('<row r="9999999999"><c><v>1</v></c></row>')],
    ['a row as a power', sheet('<row r="1e99"><c r="A1"><v>1</v></c></row>')],
    ['no workbook', Buffer.from('PK\x03\x04 and nothing more')],
    ['half a workbook', workbook([['Piatto']]).subarray(0, 900)],
  ];
  for (const [what, bytes] of bombs) {
    test(what, async () => {
      const { rss } = process.memoryUsage();
      let most = rss;
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage.rss());
      }, 5);
      const { status, json } = await importTable({ file: 'a.xlsx', bytes });
      clearInterval(watch);
      assert.equal(status, 422);
      assert.match(json.errors.body[0], /foglio di calcolo/);
      assert.ok(most - rss < 256 * 1_048_576, `${Math.round((most - rss) / 1_048_576)} MiB`);
      assert.equal((await service.client.get('/menu')).status, 200);
    });
  }
});
