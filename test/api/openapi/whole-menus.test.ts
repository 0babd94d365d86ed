// The document's types of bulk and import, held against what the service takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { adminService } from '../../support/admin.ts';
import { create } from '../../support/bulk-operations.ts';
import { document } from '../../support/contract.ts';

const service = await adminService();

// Its code is run a few times: to make that faster would take longer.
const ajv = new Ajv2020({ strict: false, useDefaults: true, code: { optimize: false } });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

/** Checks values as a client does that knows the document alone, and fills in its defaults. */
function checker(name: string) {
  const check = ajv.getSchema(`document#/components/schemas/${name}`);
  assert.ok(check, name);
  return (value: unknown) => (check(value) ? [] : check.errors);
}

test('an exported menu is what the document says an import takes', async () => {
  assert.deepEqual(checker('MenuDocument')((await service.admin.get('/export')).json.data), []);
});

test('a client that fills in the document’s defaults deletes nothing that it did not name', async () => {
  const { data } = (await service.admin.get('/export')).json;
  const [dish] = data.items;
  const body = { format: data.format, items: data.items.map((one: object) => ({ ...one })) };
  body.items[0].price = dish.price + 1;
  assert.deepEqual(checker('MenuDocument')(body), []);
  const path = '/import?delete_missing=all&dry_run=1';
  const imported = (await service.admin.call('PUT', path, body)).expect(200);
  const { created, updated, deleted } = imported.json.data.counts;
  assert.deepEqual([created, updated, deleted], [0, 1, 0]);
});

const name = { name: { it: 'Pane' } };
const OPERATIONS = [
  create('categories', 'S 1', { name: { it: 'Nuova' } }),
  { resource: 'items', action: 'create', data: { ...name, category_external_id: 'S 1' } },
  { resource: 'items', action: 'update', id: 1, data: { price: 5 }, expected: { price: 4.5 } },
  { resource: 'wineries', action: 'upsert', external_id: 'W', data: { name: 'Skerk' } },
  { resource: 'settings', action: 'update', data: { phone: '1' } },
  { resource: 'items', action: 'delete', id: 2 },
];

test('each kind of operation is one of the document’s, and is done', async () => {
  assert.deepEqual(checker('BulkBody')({ operations: structuredClone(OPERATIONS) }), []);
  const body = { operations: OPERATIONS, dry_run: true };
  (await service.admin.call('POST', '/bulk', body)).expect(200);
});

test('an operation that the service refuses for its form is none of the document’s', async () => {
  const wrong = [
    { resource: 'dishes', action: 'create', data: name },
    { resource: 'items', action: 'create', data: name },
    { resource: 'items', action: 'create' },
    { resource: 'settings', action: 'delete' },
    { resource: 'photos', action: 'create', data: {} },
    { resource: 'items', action: 'update', id: 1, data: { price: 'dear' } },
  ];
  for (const operation of wrong) {
    const text = JSON.stringify(operation);
    const body = { operations: [operation] };
    assert.notDeepEqual(checker('BulkBody')(structuredClone(body)), [], text);
    assert.equal((await service.admin.call('POST', '/bulk', body)).status, 422, text);
  }
});

test('a new dish names its section by either id', () => {
  const check = checker('MenuItemInput');
  assert.deepEqual(check({ ...name, category_id: 1 }), []);
  assert.deepEqual(check({ ...name, category_external_id: 'S' }), []);
  assert.notDeepEqual(check({ ...name }), []);
});

test('summaries of operations differ, and a table is no JSON', () => {
  const summaries = Object.values(document.paths).flatMap((item) =>
    Object.values(item as object).map(({ summary }) => summary),
  );
  assert.equal(new Set(summaries).size, summaries.length);
  const body = document.paths['/admin/import']?.put?.requestBody;
  const table = body?.content['text/csv']?.schema;
  assert.equal(table && 'type' in table && table.type, 'string');
});
