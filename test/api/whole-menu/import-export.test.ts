// A whole menu as one document: GET /admin/export and PUT /admin/import.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALL_LOCALES } from '../../../db/schema/values/locale.ts';
import { adminService, createAdminClient, issueToken } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';

const service = await adminService();

type Row = Record<string, unknown>;
const exported = async () => (await service.admin.get('/export')).json.data;
const importMenu = (document: unknown, query = '') =>
  service.admin.call('PUT', `/import${query}`, document);

/** Without the ids, which differ between restaurants, and with what refers by ids. */
function withoutIds(document: Row): unknown {
  const lists = ['wineries', 'categories', 'types', 'items'] as const;
  const names = new Map<string, string>(
    lists.flatMap((list) =>
      (document[list] as Row[]).map(
        (row) => [`${list}/${row.id}`, JSON.stringify(row.name)] as const,
      ),
    ),
  );
  const targets = {
    category_id: 'categories',
    parent_id: 'categories',
    type_id: 'types',
    winery_id: 'wineries',
  };
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === 'id') return undefined;
    const list = targets[key as keyof typeof targets];
    return list && value !== null ? names.get(`${list}/${value}`) : value;
  });
}

describe('GET /admin/export and PUT /admin/import', () => {
  test('what was exported changes nothing when it is imported', async () => {
    const before = await service.client.get('/menu');
    const { data } = (await importMenu(await exported())).json;
    const failed = data.results.find((one: Row) => one.outcome === 'failed');
    assert.equal(data.counts.failed, 0, JSON.stringify(failed));
    assert.equal(data.counts.unchanged, data.results.length);
    assert.equal((await service.client.get('/menu')).headers.etag, before.headers.etag);
  });

  test('export, import into an empty restaurant, export: the same but for ids', async () => {
    const document = await exported();
    const tenantId = await plant(service.db, { ...restaurantOf('vuoto', []), wineries: [] });
    const token = await issueToken(service.db, tenantId);
    const admin = createAdminClient(service.gateway.client('vuoto'), token);
    const reply = (await admin.call('PUT', '/import', document)).expect(200);
    assert.equal(reply.json.data.counts.failed, 0);
    assert.deepEqual(withoutIds((await admin.get('/export')).json.data), withoutIds(document));
  });

  test('a time zone that only Node knows is refused, and nothing of the document is stored', async () => {
    const document = await exported();
    document.settings.timezone = 'BST';
    document.items[0].price += 1;
    (await importMenu(document)).refuses('settings.timezone');
    document.items[0].price -= 1;
    assert.deepEqual((await exported()).items, document.items);
  });

  test('a dry run says field by field what would change', async () => {
    const document = await exported();
    const [dish] = document.items;
    dish.price = dish.price + 1;
    const { data } = (await importMenu(document, '?dry_run=1')).json;
    assert.equal(data.counts.updated, 1);
    const [changed] = data.results.filter((result: Row) => result.outcome === 'updated');
    assert.deepEqual(changed.changes, { price: [dish.price - 1, dish.price] });
    assert.match(changed.path, /^items\.\d+$/);
    assert.deepEqual((await exported()).items[0].price, dish.price - 1);
  });

  test('deletes by absence only when asked to, softly, and lists what went', async () => {
    const document = await exported();
    const gone = document.items.splice(-2);
    assert.equal((await importMenu(document)).json.data.counts.deleted, 0);
    const { data } = (await importMenu(document, '?delete_missing=all')).json;
    assert.equal(data.counts.deleted, 2);
    const deleted = data.results.filter((result: Row) => result.outcome === 'deleted');
    assert.deepEqual(new Set(each(deleted, 'id')), new Set(each(gone, 'id')));
    assert.deepEqual(each(data.results, 'index'), [...data.results.keys()]);
    for (const { id } of gone) {
      (await service.admin.call('POST', `/items/${id}/restore`)).expect(200);
    }
  });

  test('counts what goes with a section among what there is, before it asks', async () => {
    const { types, format } = await exported();
    assert.ok(types.length > 0);
    const reply = await importMenu({ format, categories: [], items: [] }, '?delete_missing=1');
    const [{ rule, n, total }] = reply.expect(422).json.codes.delete_missing;
    assert.equal(rule, 'deletesMany');
    assert.equal(n, total, 'all of the sections, types and dishes');
  });

  test('one bad record among all is named by its path, and nothing is applied', async () => {
    const document = await exported();
    document.items[3].price = 'caro';
    document.items[4].name = { it: null };
    const reply = (await importMenu(document)).expect(422);
    const said = 'Vitovska, «caro»: Price deve essere un numero.';
    assert.deepEqual(reply.json.errors['items.3.price'], [said]);
    assert.ok(reply.json.errors['items.4.name.it']);
    assert.equal(reply.json.data.applied, false);
  });

  test('says what is wrong with a document that is none', async () => {
    const wrong = (await importMenu({ format: 'altro/2' })).expect(422);
    assert.match(wrong.json.errors.format[0], /lavagna-menu\/1/);
    assert.equal((await importMenu('[')).status, 422);
    const unknown = await importMenu({ format: 'lavagna-menu/1', piatti: [] });
    assert.deepEqual(unknown.json.meta.ignored, ['piatti']);
  });

  test('dishes as CSV: what was exported changes nothing when it is imported, in any language', async () => {
    const [dish] = (await exported()).items;
    const name = Object.fromEntries(ALL_LOCALES.map((locale) => [locale, `Pollo ${locale}`]));
    assert.equal((await service.admin.call('PATCH', `/items/${dish.id}`, { name })).status, 200);
    const reply = await service.admin.get('/export?format=csv');
    assert.match(reply.headers['content-type'] ?? '', /^text\/csv/);
    const { json } = (await service.admin.importTable(reply.text)).expect(200);
    const { counts, results } = json.data;
    const changed = results.find((one: Row) => one.outcome !== 'unchanged');
    assert.equal(counts.unchanged, results.length, JSON.stringify(changed));
  });

  test('takes CSV as Excel on an Italian desk writes it', async () => {
    const [dish] = (await exported()).items;
    const table = `id;name_it;price\r\n${dish.id};Caffè;3,50\r\n`;
    (await service.admin.importTable(Buffer.from(table, 'latin1'))).expect(200);
    const shown = (await service.client.get(`/items/${dish.id}`)).json.data;
    assert.deepEqual([shown.name, shown.price], ['Caffè', 3.5]);
  });
});
