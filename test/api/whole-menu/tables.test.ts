// Tables as spreadsheets write them: through the API, the panel and the command line.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Response } from '../../support/http.ts';
import { tableService } from '../../support/table-service.ts';

const service = await tableService();
beforeEach(async () => {
  const categories = [{ external_id: 'primi', name: { it: 'Primi' } }];
  const menu = { format: 'lavagna-menu/1', categories, items: [] };
  (await service.admin.call('PUT', '/import?delete_missing=all', menu)).expect(200);
});

interface Dish {
  external_id: string | null;
  name: { it: string };
  price: number;
  is_recommended: boolean;
  is_active: boolean;
}

const { importTable } = service.admin;
const { importFile } = service;
const ENGLISH = { 'Accept-Language': 'en' };
const dishes = async () => {
  const { json } = await service.admin.get('/export');
  const items: Dish[] = json.data.items;
  return Object.fromEntries(
    items.map((item): [string, Dish | undefined] => [item.external_id ?? item.name.it, item]),
  );
};
async function show(table: Buffer, fields: Record<string, string> = {}) {
  await service.owner.get('/admin/import');
  const file = { name: 'dishes.csv', bytes: table };
  return service.owner.upload('/admin/import', { do: 'show', ...fields }, file, ENGLISH);
}
const text = ({ text: page }: Response) =>
  page
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const HEADER = 'external_id;category_external_id;name_it;price';
const utf16 = (marked: boolean, little: boolean, table: string) => {
  const bytes = Buffer.from((marked ? '\ufeff' : '') + table, 'utf16le');
  return little ? bytes : bytes.swap16();
};
/** A name with each sign that Windows-1252 has between 80 and 9F. */
const SIGNS = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const SIGN_BYTES = Buffer.from('8082838485868788898a8b8c8e9192939495969798999a9b9c9e9f', 'hex');
const windows = (table: string) => Buffer.from(table, 'latin1');

const encoded: [what: string, table: Buffer, encoding: string, name: string][] = [
  ['UTF-8 with a mark', Buffer.from(`\ufeff${HEADER}\na;primi;Caffè;1\n`), 'utf-8', 'Caffè'],
  ['UTF-8', Buffer.from(`${HEADER}\na;primi;Żurek 🍕;1\n`), 'utf-8', 'Żurek 🍕'],
  ['UTF-16 with a mark', utf16(true, true, `${HEADER}\na;primi;Żurek;1\n`), 'utf-16le', 'Żurek'],
  ['UTF-16 without one', utf16(false, true, `${HEADER}\na;primi;Żurek;1\n`), 'utf-16le', 'Żurek'],
  ['UTF-16, big end first', utf16(true, false, `${HEADER}\na;primi;Menù;1\n`), 'utf-16be', 'Menù'],
  ['the same, unmarked', utf16(false, false, `${HEADER}\na;primi;Menù;1\n`), 'utf-16be', 'Menù'],
  [
    'Windows-1252',
    windows(`${HEADER}\r\nPOS1;primi;Men\xf9 \x93oste\x94 \x96 l\x92uovo;10,00\r\n`),
    'windows-1252',
    'Menù “oste” – l’uovo',
  ],
  [
    'every sign of Windows-1252 between 80 and 9F',
    Buffer.concat([windows(`${HEADER}\na;primi;`), SIGN_BYTES, windows(' \xe0;1\n')]),
    'windows-1252',
    `${SIGNS} à`,
  ],
];

describe('the encoding of a table is found and named', () => {
  for (const [what, table, encoding, name] of encoded) {
    test(what, async () => {
      const dry = (await importTable(table, '?dry_run=1')).expect(200);
      assert.equal(dry.json.data.table.encoding, encoding);
      const page = text(await show(table));
      assert.match(page, new RegExp(`Read as a table in ${encoding}`, 'i'));
      assert.ok(page.includes(name), page);
      const told = await importFile(table, ['--dry-run']);
      assert.match(told.stdout, new RegExp(`^table: ${encoding}, separator ";"`, 'm'));
      assert.equal((await importTable(table)).status, 200);
      const [dish] = Object.values(await dishes());
      assert.equal(dish?.name.it, name);
    });
  }

  test('one that is asked for is taken', async () => {
    const mac = windows(`${HEADER}\na;primi;Caff\x8f;1\n`);
    assert.equal((await importTable(mac)).status, 422);
    assert.equal((await importTable(mac, '?encoding=macintosh')).status, 200);
    assert.equal((await dishes()).a?.name.it, 'Caffè');
    assert.equal((await importTable(mac, '?encoding=ebcdic')).status, 422);
    assert.equal((await importFile(mac, ['--encoding', 'macintosh'])).code, 0);
    assert.match(text(await show(mac, { encoding: 'macintosh' })), /Mac Roman/);
  });
});

describe('bytes without a meaning are refused with row and place, and nothing changes', () => {
  const marked = Buffer.from(`\ufeff${HEADER}\na;primi;Caffè;1\nb;primi;Tiramis`);
  const unmarked = Buffer.from(`${HEADER}\na;primi;"Caffè\nè";1\nb;`);
  const whole = utf16(true, true, `${HEADER}\na;primi;x;1\n`);
  const broken: [what: string, table: Buffer, row: number, place: number, value: string][] = [
    ['behind a mark of UTF-8', Buffer.concat([marked, windows('\xf9;5\n')]), 3, 83, 'F9'],
    ['in UTF-8 without one', Buffer.concat([unmarked, windows('\xf9;Pane;5\n')]), 3, 0, 'F9'],
    ['in Windows-1252', windows(`${HEADER}\na;primi;Caff\xe8 \x81;1\n`), 2, 0, '81'],
    ['half a sign of UTF-16', utf16(true, true, `${HEADER}\na;primi;x\ud800;1\n`), 2, 0, '00D8'],
    ['an odd byte behind UTF-16', Buffer.concat([whole, Buffer.from('x')]), 3, 0, '78'],
  ];
  for (const [what, table, row, place, value] of broken) {
    test(what, async () => {
      const answer = (await importTable(table)).expect(422);
      const [said] = answer.json.errors.body;
      assert.match(said, new RegExp(`riga ${row}, byte ${place || '\\d+'} \\(${value}\\)`));
      const page = text(await show(table));
      assert.match(page, new RegExp(`in row ${row}, byte \\d+ \\(${value}\\) has no meaning`));
      const told = (await importFile(table)).ends(1);
      assert.match(told.stdout, new RegExp(`riga ${row}, byte \\d+ \\(${value}\\)`));
      assert.deepEqual(await dishes(), {});
    });
  }

  test('a picture is no text', async () => {
    for (const hex of ['89504e470d0a1a0a0000000d', 'ffd8ffe000104a464946000101']) {
      const answer = await importTable(Buffer.from(hex, 'hex'));
      assert.deepEqual(answer.json.errors, { body: ['Il corpo della richiesta non è testo.'] });
    }
  });
});

const prices = async (separator: string, ...cells: string[]) => {
  const rows = cells.map((cell, at) => [`p${at}`, 'primi', 'Pane', `"${cell}"`].join(separator));
  const table = [HEADER.replaceAll(';', separator), ...rows].join('\n');
  const answer = await importTable(Buffer.from(table));
  if (answer.status !== 200) return answer.json.errors;
  const found = await dishes();
  return cells.map((_, at) => found[`p${at}`]?.price);
};

describe('numbers are read as their table writes them', () => {
  /** Cells, and the numbers that they are. */
  const read: [cells: string, numbers: number[]][] = [
    ['1.250 | 1.250,00 | 1,5', [1250, 1250, 1.5]],
    ['1,250 | 1.5', [1250, 1.5]],
    ['1.250 | 2.345.678', [1250, 2345678]],
    ['1,250 | 1.250,5', [1.25, 1250.5]],
    ['1.250 | 0,5', [1250, 0.5]],
    ['1,250.00 | 12', [1250, 12]],
    ["1'250.50 | 1’000", [1250.5, 1000]],
    ['1 250,50 | 1\u202f000,5 | 1\u00a0000', [1250.5, 1000.5, 1000]],
    ['8,90 € | € 7 | 12.-\u0020 | EUR 3,5 | 5 euro | CHF 6.50 | £4', [8.9, 7, 12, 3.5, 5, 6.5, 4]],
    ['12,– | 12,50', [12, 12.5]],
    ['3,50 | 3.50 | 12', [3.5, 3.5, 12]],
    ['.5 | 5. | 0.500', [0.5, 5, 0.5]],
  ];
  for (const [cells, numbers] of read) {
    test(cells, async () => {
      assert.deepEqual(await prices('\t', ...cells.split(' | ')), numbers);
    });
  }

  test('one that can be read in two ways is asked about, never guessed', async () => {
    for (const cells of [['1.250'], ['12', '1,250'], ['1.250', '1,5', '1.5']]) {
      const errors = (await prices(';', ...cells)) as Record<string, string[]>;
      const [said = ''] = errors.body ?? [];
      assert.match(said, /^Alla riga \d il numero 1[.,]250 si può leggere in due/);
      assert.deepEqual(await dishes(), {});
    }
    const table = Buffer.from(`${HEADER}\na;primi;Barolo;1.250\n`);
    const page = (await show(table)).expect(422);
    assert.match(text(page), /In row 2 the number 1\.250 can be read in two ways/);
    const fields = { do: 'show', decimal_sign: ',' };
    const chosen = await service.owner.upload('/admin/import', fields, null, ENGLISH);
    assert.match(text(chosen), /Price 1250\.00/);
    assert.equal((await importFile(table)).code, 1);
    assert.equal((await importFile(table, ['--decimal-sign', ','])).code, 0);
    assert.equal((await dishes()).a?.price, 1250);
    assert.equal((await importTable(table, '?decimal_sign=.')).status, 200);
    assert.equal((await dishes()).a?.price, 1.25);
  });

  test('what is no number is refused', async () => {
    for (const cell of ['12 50', '1.25.0', '1,2,3', 'caro', '12-15', '1..5', '1.250,5,5']) {
      const errors = (await prices(';', cell, '1,5')) as Record<string, string[]>;
      assert.deepEqual(Object.keys(errors), ['items.0.price'], cell);
    }
  });
});

test("Excel's own first line names the separator and is no row", async () => {
  const table = Buffer.from(
    `\ufeffsep=;\r\n${HEADER}\r\na;primi;Gricia;"8,90 €"\r\nb;primi;;1\r\n`,
  );
  assert.match((await importFile(table)).stdout, /^error row 3, name\.it: /m);
  assert.match(text(await show(table)), /row 3 Dish/);
  assert.equal((await importTable(table.subarray(0, -12))).status, 200);
  assert.equal((await dishes()).a?.price, 8.9);
});

test('headers and words for yes in capitals mean the same', async () => {
  const table =
    'External_ID;Category_External_ID;Name_IT;Price;Is_Recommended;Is_Active\n' +
    'q;primi;Quattro formaggi;9,00;TRUE;FALSO\nr;primi;Margherita;7;no;sì\n';
  assert.equal((await importTable(Buffer.from(table))).status, 200);
  const { q, r } = await dishes();
  assert.deepEqual([q?.is_recommended, q?.is_active], [true, false]);
  assert.deepEqual([r?.is_recommended, r?.is_active], [false, true]);
});

test('no separator of any country lets a spreadsheet run a cell as a formula', async () => {
  const names = ['=1', 'a;=1', 'a,@b', 'a,+1', "a;'-1", '＝1', ';=;=', 'Caffè, =2', "b,''=3"];
  const items = names.map((it, at) => ({
    external_id: `f${at}`,
    category_external_id: 'primi',
    name: { it },
    description: { it: `${it}\n-x\n=y` },
  }));
  const put = { format: 'lavagna-menu/1', items };
  assert.equal((await service.admin.call('PUT', '/import', put)).status, 200);
  for (const path of ['/admin/import/export?format=csv', null]) {
    const { text: table } = path
      ? await service.owner.get(path)
      : await service.admin.get('/export?format=csv');
    assert.doesNotMatch(table, /(^|[,;\t\n\r"])[=+@＝-]/);
    const { json } = await importTable(Buffer.from(table));
    assert.equal(json.data?.counts.unchanged, names.length, JSON.stringify(json));
  }
});

describe('tables that are made to cost time', () => {
  test('a header of many columns is refused, and long cells are shown short', async () => {
    const wide = await importTable(Buffer.from(`name_it${',name_it'.repeat(30_000)}\nPane\n`));
    assert.deepEqual(wide.json.errors, { body: ['Il CSV non può avere più di 200 colonne.'] });
    const cell = `${'x'.repeat(199)}🍕${'y'.repeat(100_000)}`;
    const table = Buffer.from(`Sezione,Piatto,Note,Prezzo\nA,Pane,${cell},1\n`);
    const { json } = (await importTable(table, '?dry_run=1')).expect(200);
    assert.equal(json.data.table.rows[0].cells[2].length, 200);
  });

  test('thousands of rows of one name are read, and found again', async () => {
    const rows = 'A,Pane,1\n'.repeat(3_000);
    const table = Buffer.from(`Sezione,Piatto,Prezzo\n${rows}`);
    assert.equal((await importTable(table)).status, 200);
    assert.equal((await importTable(table, '?dry_run=1')).json.data.counts.unchanged, 3_000);
  });

  test('zeros in a table whose encoding is asked for are refused with their row', async () => {
    const table = Buffer.from('Sezione,Piatto\nA,a\0b\n');
    (await importTable(table, '?encoding=utf-8')).expect(422);
  });
});
