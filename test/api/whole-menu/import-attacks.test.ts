// Documents and tables of PUT /admin/import that try to break a menu.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { create, dish, section, sendingTo } from '../../support/bulk-operations.ts';

const service = await adminService();

type Row = Record<string, unknown>;
const { apply, call, exported, find, importMenu, importTable } = sendingTo(service);

describe('documents', () => {
  const keyless = async () => {
    const data = { name: 'Senza codice' };
    const [{ id }] = await apply([{ resource: 'wineries', action: 'create', data }]);
    return { id, ...data };
  };
  test('a document that names one record twice is refused', async () => {
    const winery = await keyless();
    const twice = { format: 'lavagna-menu/1', wineries: [winery, winery] };
    const reply = (await importMenu(twice)).expect(422);
    assert.ok(reply.json.errors['wineries.1.id'], JSON.stringify(reply.json.errors));
    const keys = ['A', 'B'].map((name) => ({ external_id: 'twice', name }));
    const second = await importMenu({ format: 'lavagna-menu/1', wineries: keys });
    assert.ok(second.json.errors['wineries.1.external_id']);
  });

  test('external ids of a document are given to records that were found by their id', async () => {
    const winery = await keyless();
    const give = (external_id: string | null) =>
      importMenu({ format: 'lavagna-menu/1', wineries: [{ id: winery.id, external_id }] });
    await give('given');
    assert.equal((await find('wineries', 'given')).id, winery.id);
    const taken = await give(null);
    assert.equal(taken.json.data.counts.updated, 1);
    assert.equal(await find('wineries', 'given'), undefined);
  });

  test('a record that is no object is named by its path', async () => {
    const reply = await importMenu({ format: 'lavagna-menu/1', items: [null, 'x'] });
    assert.deepEqual(reply.json.errors, {
      'items.0': ['items.0 deve essere un oggetto.'],
      'items.1': ['items.1 deve essere un oggetto.'],
    });
  });

  test('sections in any order, and circles, end well', async () => {
    const name = { it: 'x' };
    const below = (external_id: string, parent: string) => {
      return { external_id, parent_external_id: parent, name };
    };
    const sections = [below('d3', 'd2'), below('d2', 'd1'), { external_id: 'd1', name }];
    const items = [{ external_id: 'd3-i', category_external_id: 'd3', name }];
    const format = 'lavagna-menu/1';
    (await importMenu({ format, categories: sections, items })).expect(200);
    const circles = [below('c1', 'c2'), below('c2', 'c1'), below('c3', 'c3')];
    (await importMenu({ format, categories: circles })).expect(422);
  });

  test('delete_missing leaves lists alone that are absent, and empties those that are empty', async () => {
    await apply([section('e1'), dish('e1-d', 'e1'), create('wineries', 'e1-w', { name: 'W' })]);
    const before = await exported();
    const none = await importMenu({ format: 'lavagna-menu/1' }, '?delete_missing=all');
    assert.deepEqual(none.json.data.results, []);
    const without = { format: 'lavagna-menu/1', wineries: [] };
    const emptied = await importMenu(without, '?delete_missing=all');
    assert.equal(emptied.json.data.counts.deleted, before.wineries.length);
    assert.deepEqual((await exported()).wineries, []);
    assert.equal((await exported()).items.length, before.items.length);
  });

  test('delete_missing lists the dishes that go with a section, and refuses to lose one that it keeps', async () => {
    await apply([section('f1'), dish('f1-d', 'f1')]);
    const document = await exported();
    const categories = document.categories.filter((row: Row) => row.external_id !== 'f1');
    (await importMenu({ ...document, categories }, '?delete_missing=all')).expect(422);
    assert.ok(await find('items', 'f1-d'));
    const reply = await importMenu({ format: document.format, categories }, '?delete_missing=all');
    const gone = reply.json.data.results.filter((one: Row) => one.outcome === 'deleted');
    assert.deepEqual(gone.map((one: Row) => one.external_id).sort(), ['f1', 'f1-d']);
    const { id } = gone.find((one: Row) => one.external_id === 'f1');
    assert.equal((await call('POST', `/categories/${id}/restore`, {})).status, 200);
    assert.ok(await find('items', 'f1-d'));
  });
});

describe('tables', () => {
  const shown = (key: string) => find('items', key);
  const ok = async (table: string) => {
    const reply = (await importTable(table)).expect(200);
    return reply.json;
  };
  before(async () => {
    await apply([
      section('s1'),
      create('wineries', 's1-w', { name: 'W' }),
      dish('s1-d', 's1', {
        winery_external_id: 's1-w',
        description: { it: 'Uno', en: 'One' },
        allergens: ['latte'],
        variants: [{ label: { it: 'Grande' }, price: 9 }],
      }),
    ]);
  });

  test('quotes, separators and line ends in cells, a byte order mark and blank rows are read', async () => {
    await ok('\ufeffexternal_id;name_it;description_it\r\ns1-d;"A;""b""";"x\r\ny"\r\n;;\r\n\r\n');
    const { name, description } = await shown('s1-d');
    assert.deepEqual([name.it, description.it], ['A;"b"', 'x\r\ny']);
  });

  test('a short row leaves the fields alone that it lacks; a long one is refused', async () => {
    await ok('external_id,name_it,description_it\ns1-d,Corto\n');
    const { name, description } = await shown('s1-d');
    assert.deepEqual([name.it, description.it], ['Corto', 'x\r\ny']);
    const long = await importTable('external_id,price,name_it\ns1-d,3,50,Lungo\ns1-d,4,50,Lungo\n');
    long.refuses('items.0', 'items.1');
    assert.ok((await importTable('external_id,name_it,name_it\ns1-d,A,B\n')).json.errors.name_it);
  });

  test('a language without a column or a cell keeps its texts, an empty cell takes one away', async () => {
    const after = async (table: string) => {
      await ok(table);
      const { name, description } = await shown('s1-d');
      return { name, description };
    };
    const description = { it: 'Due', en: 'Two' };
    const columns = 'external_id,name_it,name_en,description_it,description_en';
    const whole = await after(`${columns}\ns1-d,Rosso,Red,Due,Two\n`);
    assert.deepEqual(whole, { name: { it: 'Rosso', en: 'Red' }, description });
    const italian = await after('external_id,name_it\ns1-d,Bruno\n');
    assert.deepEqual(italian, { name: { it: 'Bruno', en: 'Red' }, description });
    const { id } = await shown('s1-d');
    const byId = await after(`id,name_it,description_en\n${id},Blu,Three\n`);
    const threes = { it: 'Due', en: 'Three' };
    assert.deepEqual(byId, { name: { it: 'Blu', en: 'Red' }, description: threes });
    const short = await after('external_id,name_it,name_en\ns1-d,Verde\n');
    assert.deepEqual(short.name, { it: 'Verde', en: 'Red' });
    const emptied = await after('external_id,name_it,name_en\ns1-d,Verde,\n');
    assert.deepEqual(emptied.name, { it: 'Verde' });
    await ok('external_id,description_en\ns1-d,\n');
  });

  test('none, an empty cell and keys say three things of allergens', async () => {
    const of = async (cell: string) => {
      await ok(`external_id,allergens\ns1-d,${cell}\n`);
      return (await shown('s1-d')).allergens;
    };
    assert.deepEqual(await of('none'), []);
    assert.equal(await of(''), null);
    assert.deepEqual(await of('latte uova'), ['latte', 'uova']);
    assert.equal((await importTable('external_id,allergens\ns1-d,oro\n')).status, 422);
  });

  test('an empty cell takes a winery, sizes and a text away, and keeps a price', async () => {
    await ok('external_id,winery_external_id,variants,description_it,price\ns1-d,,,,\n');
    const { winery_id, variants, description, price } = await shown('s1-d');
    assert.deepEqual([winery_id, variants, description, price], [null, [], {}, 9]);
  });

  test('cells that look like formulas survive a round trip, guarded in the table', async () => {
    const names = ['=1+1', "'=1", '+39', '@a', '-x', '\uff1dB', "'c", "''=d"];
    await apply([
      section('g1'),
      ...names.map((it, at) => dish(`g1-${at}`, 'g1', { name: { it } })),
    ]);
    const { text } = await service.admin.get('/export?format=csv');
    assert.ok(!/(^|,)"?[=+@\uff1d-]/m.test(text.slice(text.indexOf('\n') + 1)));
    const { data } = await ok(text);
    assert.equal(data.counts.unchanged, data.results.length, JSON.stringify(data.counts));
  });

  test('unknown columns are named, and a table without known ones is refused', async () => {
    const { meta } = await ok('external_id,colore,,name_it\ns1-d,rosso,,Nome\n');
    assert.deepEqual(meta.ignored, ['colore']);
    for (const table of ['', 'a,b\n1,2\n', '"external_id', 'external_id\n"x"y\n']) {
      assert.equal((await importTable(table)).status, 422, table);
    }
    assert.equal((await importTable('id,name_it\nabc,X\n')).status, 422);
  });
});
