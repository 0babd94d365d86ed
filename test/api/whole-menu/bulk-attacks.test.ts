// Requests to POST /admin/bulk and PUT /admin/import that try to break a menu.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { change, create, dish, remove, section, sendingTo } from '../../support/bulk-operations.ts';
import { plant, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const service = await adminService();

const { apply, bulk, call, exported, find, importMenu, importTable } = sendingTo(service);

describe('operations of one request see each other', () => {
  test('a new winery and type that a later operation deletes leave their dish without them', async () => {
    const results = await apply([
      section('o1'),
      create('wineries', 'o1-w', { name: 'W' }),
      create('types', 'o1-t', { category_external_id: 'o1', name: { it: 'T' } }),
      dish('o1-d', 'o1', { winery_external_id: 'o1-w', type_external_id: 'o1-t' }),
      remove('wineries', 'o1-w'),
      remove('types', 'o1-t'),
    ]);
    assert.equal(results.length, 6);
    const { winery_id, type_id } = await find('items', 'o1-d');
    assert.deepEqual([winery_id, type_id], [null, null]);
  });

  test('an existing dish survives that its new winery is deleted, and forgets the former one', async () => {
    await apply([
      section('o2'),
      create('wineries', 'o2-old', { name: 'O' }),
      dish('o2-d', 'o2', { winery_external_id: 'o2-old' }),
    ]);
    await apply([
      create('wineries', 'o2-new', { name: 'N' }),
      change('items', 'o2-d', { winery_external_id: 'o2-new' }),
      remove('wineries', 'o2-new'),
    ]);
    assert.equal((await find('items', 'o2-d')).winery_id, null);
  });

  test('a dish in a new section that is deleted again is deleted, and can be restored', async () => {
    await apply([section('o3'), dish('o3-d', 'o3')]);
    const { id } = await find('items', 'o3-d');
    await apply([
      section('o3-new'),
      change('items', 'o3-d', { category_external_id: 'o3-new', price: 7 }),
      remove('categories', 'o3-new'),
    ]);
    assert.equal(await find('items', 'o3-d'), undefined);
    assert.equal((await call('POST', `/items/${id}/restore`, {})).status, 200);
    assert.equal((await find('items', 'o3-d')).price, 7);
  });

  test('a dish that moves out of a section survives its deletion', async () => {
    await apply([section('o4'), section('o4-to'), dish('o4-d', 'o4'), dish('o4-e', 'o4')]);
    await apply([
      change('items', 'o4-d', { category_external_id: 'o4-to' }),
      remove('categories', 'o4'),
    ]);
    assert.equal((await find('items', 'o4-d')).category_id, (await find('categories', 'o4-to')).id);
    assert.equal(await find('items', 'o4-e'), undefined);
  });

  test('an external id is free again after a deletion and a change, and two can be swapped', async () => {
    await apply([section('o5'), dish('o5-a', 'o5'), dish('o5-b', 'o5')]);
    const [a, b] = [await find('items', 'o5-a'), await find('items', 'o5-b')];
    await apply([
      change('items', 'o5-a', { external_id: 'o5-c' }),
      change('items', 'o5-b', { external_id: 'o5-a' }),
      change('items', 'o5-c', { external_id: 'o5-b' }),
    ]);
    assert.equal((await find('items', 'o5-a')).id, b.id);
    assert.equal((await find('items', 'o5-b')).id, a.id);
    await apply([
      remove('items', 'o5-a'),
      dish('o5-a', 'o5'),
      change('items', 'o5-a', { price: 3 }),
    ]);
    const again = await find('items', 'o5-a');
    assert.ok(![a.id, b.id].includes(again.id));
    assert.equal(again.price, 3);
  });

  test('sections cannot stand in each other nor too deep, however many operations that takes', async () => {
    await apply([section('o6'), section('o6-b', { parent_external_id: 'o6' })]);
    (await bulk([change('categories', 'o6', { parent_external_id: 'o6-b' })])).expect(422);
    const deep = Array.from({ length: 9 }, (_, level) =>
      section(`o6-${level}`, level === 0 ? {} : { parent_external_id: `o6-${level - 1}` }),
    );
    assert.equal((await bulk(deep)).expect(422).json.data.counts.failed, 1);
    await apply([
      change('categories', 'o6-b', { parent_id: null }),
      change('categories', 'o6', { parent_external_id: 'o6-b' }),
    ]);
    assert.equal((await find('categories', 'o6')).parent_id, (await find('categories', 'o6-b')).id);
  });

  test('a new section may stand in a newer one', async () => {
    await apply([
      section('o7'),
      section('o7-above'),
      change('categories', 'o7', { parent_external_id: 'o7-above' }),
    ]);
    const { id } = await find('categories', 'o7-above');
    assert.equal((await find('categories', 'o7')).parent_id, id);
  });

  test('a type moves with its dishes in three operations', async () => {
    await apply([
      section('o8'),
      section('o8-to'),
      create('types', 'o8-t', { category_external_id: 'o8', name: { it: 'T' } }),
      dish('o8-d', 'o8', { type_external_id: 'o8-t' }),
    ]);
    (await bulk([change('types', 'o8-t', { category_external_id: 'o8-to' })])).expect(422);
    await apply([
      change('items', 'o8-d', { category_external_id: 'o8-to', type_id: null }),
      change('types', 'o8-t', { category_external_id: 'o8-to' }),
      change('items', 'o8-d', { type_external_id: 'o8-t' }),
    ]);
    assert.equal((await find('items', 'o8-d')).type_id, (await find('types', 'o8-t')).id);
  });

  test('a change of the default language leaves plain texts in the former one', async () => {
    await apply([section('o9')]);
    const { id } = await find('categories', 'o9');
    await service.sql(`update sections set notes = 'Prosa' where id = $1`, [id]);
    const data = { default_locale: 'en', supported_locales: ['it', 'en'] };
    await apply([
      { resource: 'wineries', action: 'create', data: { name: 'Altra' } },
      { resource: 'settings', action: 'update', data },
      { resource: 'theme', action: 'upsert', data: { primary_color: '#123456' } },
    ]);
    assert.deepEqual((await find('categories', 'o9')).notes, { it: 'Prosa' });
    const { settings, theme } = await exported();
    assert.equal(settings.default_locale, 'en');
    assert.equal(theme.primary_color, '#123456');
    const refused = await bulk([
      { resource: 'settings', action: 'delete' },
      { resource: 'theme', action: 'create', data: {} },
    ]);
    assert.equal(refused.json.data.counts.failed, 2);
  });

  test('changes name records that the request creates by the ids that they get', async () => {
    const operations = [section('o10'), dish('o10-d', 'o10')];
    const tried = (await bulk(operations, { dry_run: true })).json.data.results;
    assert.deepEqual(tried[1].changes.category_id, [null, null]);
    const done = await apply(operations);
    assert.deepEqual(done[1].changes.category_id, [null, done[0].id]);
  });

  test('an id and an external id together give the key to the record of the id', async () => {
    await apply([section('o11')]);
    const data = { category_external_id: 'o11', name: { it: 'x' } };
    const [{ id }] = await apply([{ resource: 'items', action: 'create', data }]);
    await apply([{ resource: 'items', action: 'update', id, external_id: 'o11-d', data: {} }]);
    assert.equal((await find('items', 'o11-d')).id, id);
  });

  test('a new record is refused when its operation and its data name different keys', async () => {
    await apply([section('o13')]);
    for (const action of ['create', 'upsert']) {
      for (const key of ['o13-other', null]) {
        const named = { ...dish('o13-d', 'o13', { external_id: key }), action };
        const refused = (await bulk([named])).expect(422);
        assert.deepEqual(Object.keys(refused.json.codes), ['operations.0.external_id']);
      }
    }
    await apply([dish('o13-d', 'o13', { external_id: 'o13-d' })]);
    await apply([change('items', 'o13-d', { external_id: 'o13-e' })]);
    assert.equal(await find('items', 'o13-d'), undefined);
  });

  test('a type that is deleted and restored is shown again on a dish that changed meanwhile', async () => {
    await apply([
      section('o12'),
      create('types', 'o12-t', { category_external_id: 'o12', name: { it: 'T' } }),
      dish('o12-d', 'o12', { type_external_id: 'o12-t' }),
    ]);
    const { id } = await find('types', 'o12-t');
    await apply([remove('types', 'o12-t')]);
    await apply([change('items', 'o12-d', { type_id: null, price: 4 })]);
    assert.equal((await call('POST', `/types/${id}/restore`, {})).status, 200);
    assert.equal((await find('items', 'o12-d')).type_id, id);
  });
});

describe('odd requests', () => {
  test('ids that are none, or of another restaurant, change nothing', async () => {
    const other = await plant(service.db, restaurantOf('altrove', [sectionOf('Loro')]));
    const [theirs] = await service.sql('select id from sections where tenant_id = $1', [other]);
    const before = await exported();
    const priced = (id: unknown) => {
      return { resource: 'items', action: 'update', id, data: { price: 1 } };
    };
    const guest = { category_id: theirs.id, name: { it: 'Ospite' } };
    const operations = [
      ...[-1, 0, 1.5, '1', true, [], {}, 2 ** 53, 1e300].map(priced),
      { resource: 'categories', action: 'delete', id: theirs.id },
      { resource: 'categories', action: 'update', id: theirs.id, data: { name: { it: 'Mio' } } },
      { resource: 'items', action: 'create', data: guest },
      { resource: 'categories', action: 'upsert', id: -1, data: { name: { it: 'Meno' } } },
    ];
    const reply = (await bulk(operations, { on_error: 'skip_failed' })).expect(200);
    assert.equal(reply.json.data.counts.failed, operations.length, JSON.stringify(reply.json));
    assert.deepEqual(await exported(), before);
  });

  test('NUL, lone surrogates and names of prototypes are refused or named, never a 500', async () => {
    const odd = ['\u0000', '\ud800', '__proto__', 'constructor', 'x'.repeat(10_000)];
    for (const key of odd) {
      const own = JSON.stringify(key);
      const bodies = [
        `{"operations":[],${own}:1}`,
        `{"operations":[{"resource":"items","action":"create","external_id":${own}}]}`,
        `{"operations":[{"resource":${own},"action":${own},"id":${own}}]}`,
        `{"operations":[{"resource":"wineries","action":"create","data":{${own}:1,"name":"P"}}]}`,
        `{"operations":[{"resource":"wineries","action":"create","data":{"name":${own}}}],"dry_run":true}`,
        `{"operations":[{"resource":"items","action":"create","data":{"name":{${own}:1}}}]}`,
      ];
      for (const body of bodies) {
        const reply = await call('POST', '/bulk', body);
        assert.ok([200, 422].includes(reply.status), `${reply.status} for ${body.slice(0, 200)}`);
      }
      const document = `{"format":"lavagna-menu/1",${own}:1,"wineries":[{"name":"Q",${own}:2}]}`;
      (await call('PUT', '/import', document)).expect(200);
      const table = Buffer.from(`name_it,${JSON.stringify(key)}\nPane,\u0000\n`);
      assert.equal((await importTable(table)).status, 422);
    }
  });

  test('bodies that are no request say so', async () => {
    const bodies = [
      '[]',
      'null',
      '7',
      '""',
      '{"operations":null}',
      '{"operations":{"0":{}}}',
      '{"operations":[],"dry_run":"perhaps"}',
      '{"operations":[],"on_error":"stop"}',
      `${'['.repeat(100_000)}`,
      `{"operations":[${'['.repeat(60)}${']'.repeat(60)}]}`,
    ];
    for (const body of bodies) {
      assert.equal((await call('POST', '/bulk', body)).status, 422, body.slice(0, 50));
      assert.equal((await call('PUT', '/import', body)).status, 422, body.slice(0, 50));
    }
    const wrongs = [
      { items: {} },
      { items: null },
      { items: [null, 1, 'x', []] },
      { settings: 'x' },
      { settings: { default_locale: 'xx' } },
      { categories: [{ id: 'x', name: { it: 'x' } }] },
    ];
    for (const wrong of wrongs) {
      const reply = await importMenu({ format: 'lavagna-menu/1', ...wrong });
      assert.equal(reply.status, 422, JSON.stringify(wrong));
    }
  });

  test('every form of true makes a dry run', async () => {
    const before = await exported();
    for (const dry_run of [true, 1, '1', 'true']) {
      const reply = await bulk([create('wineries', 'dry', { name: 'Dry' })], { dry_run });
      assert.equal(reply.json.data.dry_run, true);
    }
    assert.deepEqual(await exported(), before);
  });
});
