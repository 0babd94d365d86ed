// Many operations as one write: POST /admin/bulk.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { constants } from '../../../db/runtime/constants.ts';
import { adminService } from '../../support/admin.ts';
import { create } from '../../support/bulk-operations.ts';
import { each } from '../../support/each.ts';

const service = await adminService();

const bulk = (operations: unknown[], more: object = {}, headers: Record<string, string> = {}) =>
  service.admin.call('POST', '/bulk', { operations, ...more }, headers);
const menu = async () => (await service.client.get('/menu')).json;
const version = async () => (await service.admin.get('/export')).headers.etag;

/** The upsert of a dish that several tests change. */
const gricia = (data: object) => ({
  ...create('items', 'b1-gricia', { category_external_id: 'b1', name: { it: 'Gricia' }, ...data }),
  action: 'upsert',
});
const NO_COUNTS = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 };

describe('POST /admin/bulk', () => {
  test('creates a section and its dish in one request, by external ids, as one version', async () => {
    const before = await version();
    const reply = await bulk([
      create('categories', 'b1', { name: { it: 'Blocco' } }),
      gricia({ price: '11.5' }),
    ]);
    reply.expect(200);
    const { data } = reply.json;
    assert.equal(data.applied, true);
    assert.deepEqual(data.counts, { ...NO_COUNTS, created: 2 });
    assert.equal(reply.headers.etag, `"v${data.version}"`);
    assert.equal(data.version, Number(/\d+/.exec(before ?? '')?.[0]) + 1);
    const [section, dish] = data.results;
    assert.equal(section.outcome, 'created');
    assert.deepEqual(dish.changes.price, [null, 11.5]);
    const shown = (await service.client.get(`/items/${dish.id}`)).json.data;
    assert.equal(shown.category_id, section.id);
    assert.equal(shown.price, 11.5);
  });

  test('changes nothing the second time: all unchanged, no new version, the same ETag', async () => {
    const variants = [{ label: { it: 'Grande' }, price: 14 }];
    const more = { allergens: ['latte'], variants, sold_out_until: 'indefinitely' };
    const operations = [gricia({ price: 11.5, ...more })];
    const first = (await bulk(operations)).json.data;
    assert.equal(first.counts.updated, 1);
    assert.equal(first.results[0].changes.sold_out_until[1], 'indefinitely');
    const tag = (await service.client.get('/menu')).headers.etag;
    const { data } = (await bulk(operations)).json;
    assert.deepEqual(data.counts, { ...NO_COUNTS, unchanged: 1 });
    assert.deepEqual(data.results[0].changes, {});
    assert.equal(data.version, first.version);
    assert.equal((await service.client.get('/menu')).headers.etag, tag);
  });

  test('names every error by index and field, in Italian, and applies nothing', async () => {
    const before = await menu();
    const reply = await bulk([
      create('categories', 'b2', { name: { it: 'Due' } }),
      { resource: 'items', action: 'create', data: { category_external_id: 'b2', price: -1 } },
      { resource: 'vini', action: 'create' },
      { resource: 'items', action: 'update', external_id: 'nessuno', data: { price: 1 } },
      { resource: 'items', action: 'update', data: { price: 1 } },
      { resource: 'items', action: 'update', id: 2_000_000_000, data: { price: 1 } },
      'che cosa',
    ]);
    reply.expect(422);
    const { errors, data } = reply.json;
    assert.equal(data.applied, false);
    assert.equal(data.counts.failed, 6);
    assert.deepEqual(errors['operations.1.name.it'], ['Il campo name.it è richiesto.']);
    assert.deepEqual(errors['operations.1.price'], ['Price deve essere almeno 0.']);
    assert.ok(errors['operations.2.resource']);
    assert.deepEqual(errors['operations.3.external_id'], ['External id selezionato non è valido.']);
    assert.deepEqual(errors['operations.4.id'], ['Il campo id è richiesto.']);
    assert.deepEqual(errors['operations.5.id'], ['Id selezionato non è valido.']);
    assert.deepEqual(await menu(), before);
  });

  test('skip_failed applies what is right and says what is not', async () => {
    const nameless = { category_external_id: 'b3' };
    const operations = [
      create('categories', 'b3', { name: { it: 'Tre' } }),
      { resource: 'items', action: 'create', data: nameless },
      { resource: 'items', action: 'create', data: { ...nameless, name: { it: 'Sola' } } },
    ];
    const reply = (await bulk(operations, { on_error: 'skip_failed' })).expect(200);
    assert.deepEqual(reply.json.data.counts, { ...NO_COUNTS, created: 2, failed: 1 });
    const [section] = reply.json.data.results;
    const shown = (await service.client.get(`/categories/${section.id}`)).json.data;
    assert.deepEqual(each(shown.items, 'name'), ['Sola']);
    const [dish] = shown.items;
    const wrong = { resource: 'items', action: 'update', id: dish.id, data: { price: 'caro' } };
    const failed = await bulk([wrong], { on_error: 'skip_failed' });
    const [{ id, outcome, errors }] = failed.json.data.results;
    assert.deepEqual([id, outcome, Object.keys(errors)], [dish.id, 'failed', ['price']]);
  });

  test('a dry run answers what the request then does, and changes nothing', async () => {
    const before = await menu();
    const operations = [
      { resource: 'items', action: 'update', external_id: 'b1-gricia', data: { price: 12 } },
      { resource: 'categories', action: 'delete', external_id: 'b3' },
    ];
    const tried = (await bulk(operations, { dry_run: true })).json.data;
    assert.deepEqual(await menu(), before);
    const done = (await bulk(operations)).json.data;
    assert.deepEqual(tried.results, done.results);
    assert.deepEqual(tried.counts, done.counts);
    assert.deepEqual([tried.dry_run, tried.version + 1], [true, done.version]);
  });

  test('a deletion is soft: the section comes back with its dishes', async () => {
    const created = await bulk([
      create('categories', 'b4', { name: { it: 'Q' } }),
      create('items', 'b4-1', { category_external_id: 'b4', name: { it: 'Dentro' } }),
    ]);
    const [section, dish] = created.json.data.results;
    await bulk([{ resource: 'categories', action: 'delete', id: section.id }]);
    assert.equal((await service.client.get(`/items/${dish.id}`)).status, 404);
    (await service.admin.call('POST', `/categories/${section.id}/restore`)).expect(200);
    assert.equal((await service.client.get(`/items/${dish.id}`)).status, 200);
  });

  test('If-Match takes the tag of the whole menu; 412 names the present version', async () => {
    const tag = (await version()) ?? '';
    const operations = [
      { resource: 'items', action: 'update', external_id: 'b1-gricia', data: { is_active: false } },
    ];
    assert.equal((await bulk(operations, {}, { 'If-Match': tag })).status, 200);
    const late = (await bulk(operations, {}, { 'If-Match': tag })).expect(412);
    assert.equal(late.headers.etag, await version());
    assert.equal(`"v${late.json.data.version}"`, await version());
  });

  test('an Idempotency-Key makes a repeat return the first result', async () => {
    const operations = [{ resource: 'wineries', action: 'create', data: { name: 'Kante' } }];
    const headers = { 'Idempotency-Key': 'bulk-1' };
    const first = await bulk(operations, {}, headers);
    const second = await bulk(operations, {}, headers);
    assert.equal(first.status, 200);
    assert.deepEqual(second.json, first.json);
    const wineries = (await service.admin.get('/wineries?per_page=100')).json.data;
    assert.equal(wineries.filter(({ name }: { name: string }) => name === 'Kante').length, 1);
  });

  test('respond-async answers 202, and the job tells the same result later', async () => {
    const operations = [{ resource: 'wineries', action: 'create', data: { name: 'Zidarich' } }];
    const reply = (await bulk(operations, {}, { Prefer: 'respond-async' })).expect(202);
    const job = await service.admin.get(reply.headers.location?.replace('/api/v1/admin', '') ?? '');
    assert.ok([200, 202].includes(job.status));
  });

  test('refuses what is no bulk request with the reason', async () => {
    const broken = (await service.admin.call('POST', '/bulk', '{"operations": [}')).expect(422);
    assert.match(broken.json.errors.body[0], /byte 17/);
    assert.equal((await service.admin.call('POST', '/bulk', {})).status, 422);
    assert.equal((await service.admin.call('POST', '/bulk', { operations: {} })).status, 422);
    const many = Array.from({ length: 5_001 }, () => ({}));
    assert.equal((await bulk(many)).status, 422);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    (await service.admin.call('POST', '/bulk', 'a=b', form)).expect(415);
    (await service.admin.call('POST', '/bulk', ' '.repeat(8 * 1_048_576 + 1))).expect(413);
  });

  test('a new section may name one that comes more than a portion of statements later', async () => {
    const count = constants.recordsPerStatement + 10;
    const operations = Array.from({ length: count }, (_, at) => ({
      ...{ resource: 'categories', action: 'create', external_id: `portion-${at}` },
      data: { name: { it: `Sezione ${at}` }, is_active: false },
    }));
    const first = { resource: 'categories', action: 'update', external_id: 'portion-0' };
    const data = { parent_external_id: `portion-${count - 1}` };
    const reply = (await bulk([...operations, { ...first, data }])).expect(200);
    const results: { id: number }[] = reply.json.data.results;
    const { json } = await service.admin.get(`/categories/${results[0]?.id}`);
    assert.equal(json.data.parent_id, results[count - 1]?.id);
  });

  test('an operation fails when a field has another value than it expects', async () => {
    const data = {
      category_external_id: 'b1',
      name: { it: 'Norma', en: 'Norma' },
      variants: [{ label: { it: 'Grande' }, price: 14 }],
      allergens: null,
      sold_out_until: '2125-01-02T03:04:05+01:00',
    };
    const norma = { resource: 'items', external_id: 'b1-norma' };
    await bulk([{ ...norma, action: 'create', data }]);
    const change = { price: 15, name: { it: 'Norma!' }, allergens: ['latte'], variants: [] };
    const update = { ...norma, action: 'update' };
    const first = await bulk([{ ...update, data: { ...change, sold_out_until: null } }]);
    const changes: [string, unknown[]][] = Object.entries(first.json.data.results[0].changes);
    const side = (index: 0 | 1) =>
      Object.fromEntries(changes.map(([name, pair]) => [name, pair[index]]));
    assert.equal(changes.length, 5);
    const back = { ...update, data: side(0), expected: side(1) };
    const other = { ...update, data: { price: 16 } };
    const late = (await bulk([other, back])).expect(422);
    const changed = ['Price è cambiato nel frattempo.'];
    assert.deepEqual(late.json.errors, { 'operations.1.price': changed });
    (await bulk([{ ...other, expected: { colour: null } }])).refuses('operations.0.colour');
    assert.deepEqual((await bulk([back])).expect(200).json.data.results[0].changes.price, [15, 14]);
    (await bulk([{ ...norma, action: 'delete', expected: side(1) }])).expect(422);
    const deleted = await bulk([{ ...norma, action: 'delete', expected: side(0) }]);
    assert.equal(deleted.json.data.counts.deleted, 1);
  });

  test('unknown fields are named in meta.ignored', async () => {
    const data = { name: 'Lupinc', image_url: 'x' };
    const { json } = await bulk([{ resource: 'wineries', action: 'create', data }]);
    assert.deepEqual(json.meta.ignored, ['operations.0.image_url']);
  });
});
