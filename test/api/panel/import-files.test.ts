// Files that the page of imports cannot apply, and what it says of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { LOCALES, type Locale } from '../../../db/schema/values/locale.ts';
import { adminService } from '../../support/admin.ts';
import type { Response } from '../../support/http.ts';
import { addUser, signedIn } from '../../support/panel.ts';
import { inOneLine } from '../../support/written-statements.ts';

const PATH = '/admin/import';
const MIB = 1_048_576;
const OTHERS = LOCALES.filter((one) => one !== 'en');

const service = await adminService();
await addUser(service.db, service.tenantId);
const owner = await signedIn(service.client);

async function show(file: string | Buffer, name: string, language: Locale = 'en') {
  await owner.get(PATH);
  const sent = { name, bytes: Buffer.from(file) };
  return owner.upload(PATH, { do: 'show' }, sent, { 'Accept-Language': language });
}
/** A part of a page without its tags. */
const wordsOf = (html: string) => inOneLine(html.replace(/<[^>]*>/g, ' '));
/** The texts of alerts and lists of errors. */
function said({ text }: Response): string {
  const alert = /role="alert"[^>]*>(.*?)<\/div>/s.exec(text)?.[1] ?? '';
  const failed = /diff failed">(.*?)<\/section>/s.exec(text)?.[1] ?? '';
  return wordsOf(`${alert} ${failed}`);
}

const xlsx = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(50)]);
const cut = '{"format": "lavagna-menu/1", "items": [';
const broken = '{\n  "format": "lavagna-menu/1",\n  "items": [ }';
const crowded = `{"format":"lavagna-menu/1","items":[${'1,'.repeat(1_000_000)}1]}`;
const twice = 'id;name_it;name_it\n1;a;b\n';
const surplus = 'id,name_it,price\n1,Gricia,3,50\n';
type Trouble = [what: string, file: string | Buffer, name: string, text: RegExp, status?: number];
const troubles: Trouble[] = [
  ['an empty file', '', 'menu.csv', /The file is empty/],
  ['a file of blanks', ' \r\n\t', 'menu.json', /The file is empty/],
  ['no file', '', '', /Choose a file, or paste the text/],
  ['a PDF', '%PDF-1.7\n\0\0', 'menu.pdf', /This is a PDF/],
  ['a broken workbook', xlsx, 'menu.xlsx', /not a workbook that can be read/],
  ['an old spreadsheet', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'menu.xls', /CSV UTF-8/],
  ['a picture', Buffer.from('ffd8ffe000104a464946000101', 'hex'), 'menu.jpg', /not a text/],
  ['zeros in a text', 'id;name_it\n1;a\0\n', 'menu.csv', /not a text/],
  ['broken JSON', broken, 'a.json', /line 3, column 14/],
  ['cut JSON', cut, 'a.json', /ends too soon, at byte 40/],
  ['another format', '{"format": "altro/2"}', 'a.json', /no menu that was exported here/],
  ['JSON without a format', '{"piatti": []}', 'a.json', /should be “lavagna-menu\/1”/],
  ['a list', '[1, 2]', 'a.json', /no menu that was exported here/],
  ['a number', '12', 'a.json', /no menu that was exported here/],
  ['items that are no list', '{"format":"lavagna-menu/1","items":{}}', 'a.json', /items: /],
  ['a table of another kind', 'Colore;Peso\nrosso;11\n', 'a.csv', /names of the columns/],
  ['a web page', '<!doctype html><p>Menu', 'a.html', /names of the columns/],
  ['broken quotes', 'id;name_it\n1;"x"y"\n', 'a.csv', /not valid CSV: there is an error in line 2/],
  ['a comma too many', surplus, 'a.csv', /Row 2 has 4 cells, and the first row has 3/],
  ['a column twice', twice, 'a.csv', /name_it: The same entry is there twice/],
  ['many rows', `id\n${'1\n'.repeat(20_001)}`, 'a.csv', /at most 20000 rows/],
  ['a row without end', `id;name_it\n1;"${'x'.repeat(300_000)}`, 'a.csv', /not valid CSV/],
  ['many values', crowded, 'a.json', /too many values/],
  ['bytes that are no text', Buffer.from('7b22ff7d', 'hex'), 'a.json', /not UTF-8 text/],
  ['more than 8 MiB', Buffer.alloc(8 * MIB + 1, 'x'), 'a.csv', /at most 8 MB/],
  ['more than a form may have', Buffer.alloc(13 * MIB, 'x'), 'a.csv', /at most 8 MB/, 413],
];

for (const [what, file, name, text, status = 422] of troubles) {
  test(`${what} is refused with a sentence in the language of the reader`, async () => {
    const page = await show(file, name);
    assert.equal(page.status, status, said(page));
    assert.match(said(page), text);
    page.shows(/type="file"/).hides(/value="apply"/);
    const texts = [said(page)];
    // A large file is sent in two languages.
    for (const locale of file.length > MIB ? (['de'] as const) : OTHERS) {
      texts.push(said(await show(file, name, locale)));
    }
    assert.equal(new Set(texts).size, texts.length, texts.join('\n'));
  });
}

describe('tables', () => {
  test('every error is told with the row of the spreadsheet, and nothing is applied', async () => {
    const rows = [
      ...['id;name_it;price;category_id;labels;sold_out_until', ';Uno;caro;1;;', ';;;;;', ''],
      ...[
        ';Due;3,505;1;;',
        ';;2,5;1;;',
        ';Quattro;2;999;crudista;ieri',
        `;"${'x'.repeat(201)}\n";2;1;;`,
      ],
    ];
    const page = (await show(rows.join('\r\n'), 'piatti.csv')).expect(422);
    const [, list = ''] = /diff failed">.*?<ul>(.*)<\/ul>/s.exec(page.text) ?? [];
    const lines = list.split('<h3>').slice(1).map(wordsOf);
    assert.match(lines[0] ?? '', /^row 2 Dish Uno Price: Enter a number/);
    assert.match(lines[1] ?? '', /^row 5 Dish Due Price: At most 2 decimals/);
    assert.match(lines[2] ?? '', /^row 6 Dish Name \(Italiano\): This is missing/);
    assert.match(lines[3] ?? '', /^row 7 Dish Quattro .*Labels: /);
    assert.match(lines[3] ?? '', /Sold out until: /i);
    assert.match(lines[4] ?? '', /^row 8 Dish x+ Name \(Italiano\): At most 200 characters/);
    assert.equal(lines.length, 5);
    page.shows(/Correct the cells here, or leave rows out/, /name="cell\.2\.2" value="caro"/);
    page.hides(/value="apply"/);
    assert.doesNotMatch(list, /Il campo|deve|non può|non è valido/);
    assert.equal((await service.client.get('/items')).json.data.length, 5);
  });

  test('one that Excel wrote on an Italian desk is read', async () => {
    const table = Buffer.from('id;name_it;price\r\n1;Caffè;3,50\r\n', 'latin1');
    const page = await show(table, 'piatti.csv');
    page.shows(/<ins><span lang="it">Caffè<\/span><\/ins>/, /<ins>3\.50<\/ins>/);
  });
});

test('a packed document that is none, or a bomb, is refused', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * MIB)).toString('base64url');
  for (const document of ['x', 'H4sI', bomb, '<b>']) {
    await owner.get(PATH);
    const headers = { 'Accept-Language': 'en' };
    const page = await owner.upload(PATH, { do: 'apply', etag: '"v1"', document }, null, headers);
    assert.equal(page.status, 422);
    assert.match(said(page), /did not arrive whole/);
  }
});

test('bodies that are no form are refused', async () => {
  await owner.get(PATH);
  const boundary = 'x'.repeat(30);
  const type = `multipart/form-data; boundary=${boundary}`;
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n`;
  const bodies: [type: string, body: string][] = [
    ['application/x-www-form-urlencoded', 'do=show'],
    ['application/json', '{}'],
    ['multipart/form-data', part],
    [type, ''],
    [type, part],
    [type, part.slice(0, 40)],
    [type, `${part.repeat(60_000)}--${boundary}--\r\n`],
    [type, `--${boundary}\r\n${'X-A: b\r\n'.repeat(500_000)}\r\n\r\n--${boundary}--\r\n`],
  ];
  for (const [of, body] of bodies) {
    const headers = { Cookie: owner.cookie, 'Content-Type': of };
    const page = await service.client.send(PATH, { method: 'POST', headers, body });
    assert.ok(page.status === 415 || page.status === 422, `${page.status}: ${body.slice(0, 60)}`);
    page.shows(/type="file"/);
  }
});
