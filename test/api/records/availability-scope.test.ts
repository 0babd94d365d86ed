// A token for a tablet in the kitchen: it says what is sold out, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AdminClient,
  adminService,
  createAdminClient,
  issueToken,
} from '../../support/admin.ts';
import { each } from '../../support/each.ts';

const service = await adminService();

const { client, db, tenantId } = service;
const kitchen = createAdminClient(client, await issueToken(db, tenantId, ['availability:write']));
const id = (await client.get('/items')).json.data[0].id;

const FORBIDDEN = { success: false, message: 'Invalid ability provided.' };

test('the scope says when a dish is available, by PATCH and by PUT', async () => {
  for (const method of ['PATCH', 'PUT']) {
    for (const given of ['2199-01-01T00:00:00Z', 'indefinitely', null]) {
      (await kitchen.call(method, `/items/${id}`, { sold_out_until: given })).expect(200);
      const { data } = (await service.client.get(`/items/${id}`)).json;
      assert.equal(data.is_sold_out, given !== null);
    }
  }
});

test('the scope says why a dish is sold out, by every door', async () => {
  const noteOf = async () => (await service.admin.get(`/items/${id}`)).json.data.sold_out_note;
  const why = (text: string) => ({ sold_out_note: { it: text } });
  const until = { sold_out_until: 'indefinitely' };
  for (const method of ['PATCH', 'PUT']) {
    (await kitchen.call(method, `/items/${id}`, { ...until, ...why(method) })).expect(200);
    assert.equal(await noteOf(), method);
  }
  assert.equal((await kitchen.call('PATCH', `/items/${id}`, why('finito'))).status, 200);
  assert.equal(await noteOf(), 'finito');
  const operation = { resource: 'items', action: 'update', id, data: { ...until, ...why('bulk') } };
  (await kitchen.call('POST', '/bulk', { operations: [operation] })).expect(200);
  assert.equal(await noteOf(), 'bulk');
  await kitchen.call('PATCH', `/items/${id}`, { sold_out_until: null });
  assert.ok(!(await noteOf()));
});

test('a body with any other field of dishes is refused, right or wrong', async () => {
  const bodies = [
    { price: 3 },
    { sold_out_until: null, price: 3 },
    { sold_out_until: null, price: 'tre' },
    { sold_out_until: 'domani', is_active: false },
    { category_external_id: 'PRIMI', sold_out_until: null },
    {},
    { unknown: 1 },
  ];
  for (const body of bodies) {
    for (const method of ['PATCH', 'PUT']) {
      const reply = await kitchen.call(method, `/items/${id}`, body);
      assert.equal(reply.status, 403, JSON.stringify(body));
      assert.deepEqual(reply.json, FORBIDDEN);
    }
  }
});

test('many dishes are sold out by one request, and a second field in any operation is refused', async () => {
  const ids = each((await service.client.get('/items')).json.data, 'id');
  const operation = (one: number, data: object) => ({
    ...{ resource: 'items', action: 'update', id: one, data },
  });
  const operations = ids.map((one: number) => operation(one, { sold_out_until: 'indefinitely' }));
  (await kitchen.call('POST', '/bulk', { operations })).expect(200);
  const { data } = (await service.client.get('/items')).json;
  assert.ok(data.every((dish: { is_sold_out: boolean }) => dish.is_sold_out));
  const wrong = [
    operation(id, { sold_out_until: null, price: 3 }),
    operation(id, { price: 3 }),
    operation(id, {}),
    { ...operation(id, { sold_out_until: null }), action: 'delete' },
    { ...operation(id, { sold_out_until: null }), action: 'upsert' },
    { ...operation(id, { sold_out_until: null }), resource: 'categories' },
    null,
  ];
  for (const one of wrong) {
    const body = { operations: [...operations, one] };
    assert.equal((await kitchen.call('POST', '/bulk', body)).status, 403, JSON.stringify(one));
  }
  // A body of many parts is read as a worker reads it.
  const wrongLast = [...operations, operation(id, { price: 3 })];
  const many = { operations: wrongLast, noise: Array(60_000).fill(0) };
  assert.equal((await kitchen.call('POST', '/bulk', many)).status, 403);
  assert.equal((await kitchen.call('POST', '/bulk', {})).status, 422);
  assert.equal((await kitchen.call('PUT', '/import', { format: 'lavagna-menu/1' })).status, 403);
});

test('the scope says which sizes and options are sold out, and changes nothing else of them', async () => {
  const { admin } = service;
  const size = (label: string, price: number) => ({ label: { it: label }, price });
  const variants = [size('Piccola', 4), size('Grande', 6)];
  assert.equal((await admin.call('PATCH', `/items/${id}`, { variants })).status, 200);
  const group = await admin.call('POST', '/modifier-groups', {
    ...{ name: { it: 'Salse' }, options: [{ label: 'Verde' }, { label: 'Rossa', price: 1 }] },
  });
  const groupId = group.json.data.id;
  const options = [
    { label: { it: 'Verde' }, price: 0, allergens: null, is_sold_out: false },
    { label: { it: 'Rossa' }, price: 1, allergens: null, is_sold_out: false },
  ];
  const end = '2199-01-01T00:00:00Z';
  const ofSize = (data: object, expected?: object) => ({
    ...{ resource: 'items', action: 'update', id, data, ...(expected && { expected }) },
  });
  const ofGroup = (data: object, expected: object) => ({
    ...{ resource: 'modifier_groups', action: 'update', id: groupId, data, expected },
  });
  const [small, large] = variants;
  const [green, red] = options;
  const goneSizes = { variants: [small, { ...large, is_sold_out: true, sold_out_until: end }] };
  const goneOptions = { options: [{ ...green, is_sold_out: true }, red] };
  const send = (operations: object[]) => kitchen.call('POST', '/bulk', { operations });
  (await send([ofSize(goneSizes, { variants }), ofGroup(goneOptions, { options })])).expect(200);
  const shown = (await service.client.get(`/items/${id}`)).json.data;
  assert.deepEqual(each(shown.variants, 'is_sold_out'), [undefined, true]);
  assert.deepEqual(each(shown.variants, 'sold_out_until'), [undefined, end]);
  const stored = (await admin.get(`/modifier-groups/${groupId}`)).json.data.options;
  assert.deepEqual(each(stored, 'is_sold_out'), [true, false]);
  // Somebody else has changed the list since, or the change is about more.
  const outdated = await send([ofGroup(goneOptions, { options })]);
  assert.equal(outdated.json.data.applied, false, outdated.text);
  for (const wrong of [
    ofSize({ variants: [small, { ...large, price: 1, is_sold_out: true }] }, { variants }),
    ofSize({ variants: [small] }, { variants }),
    ofSize({ variants: [large, small] }, { variants }),
    ofSize(goneSizes),
    ofGroup({ ...goneOptions, min: 1 }, { options }),
    ofGroup({ ...goneOptions, min: 1 }, { options, min: 0 }),
    ofGroup({ options: Array.from({ length: 100_000 }, () => ({})) }, { options }),
  ]) {
    assert.equal((await send([wrong])).status, 403, JSON.stringify(wrong).slice(0, 200));
  }
  const loose = { variants: [{ ...small, sold_out_until: end }, large] };
  (await admin.call('PATCH', `/items/${id}`, loose)).refuses('variants.0.is_sold_out');
  await admin.call('PATCH', `/items/${id}`, { variants: [] });
});

test('what is wrong with the time, the body or the id is said as to everybody', async () => {
  const wrong = await kitchen.call('PATCH', `/items/${id}`, { sold_out_until: 'domani' });
  wrong.refuses('sold_out_until');
  assert.equal((await kitchen.call('PATCH', `/items/${id}`, '{')).status, 422);
  assert.equal((await kitchen.call('PATCH', `/items/${id}`, [])).status, 422);
  (await kitchen.call('PATCH', '/items/999999', { sold_out_until: null })).expect(404);
});

test('a second field is refused, also one without a meaning or one that is only read', async () => {
  for (const second of [{ id }, { note: '' }, { is_sold_out: false }]) {
    const reply = await kitchen.call('PATCH', `/items/${id}`, { sold_out_until: null, ...second });
    assert.equal(reply.status, 403, JSON.stringify(second));
  }
});

test('every other endpoint below /admin refuses the scope', async () => {
  const requests: [string, string, unknown?][] = [
    ['GET', '/items'],
    ['GET', `/items/${id}`],
    ['POST', '/items', { name: { it: 'X' } }],
    ['DELETE', `/items/${id}`],
    ['POST', `/items/${id}/restore`],
    ['PATCH', '/settings', { sold_out_until: null }],
    ['PUT', '/theme', {}],
    ['PATCH', '/categories/1', { is_active: false }],
    ['GET', '/analytics/overview'],
  ];
  for (const [method, path, body] of requests) {
    const reply = await kitchen.call(method, path, body);
    assert.equal(reply.status, 403, `${method} ${path}`);
    assert.deepEqual(reply.json, FORBIDDEN);
  }
});

test('menu:write includes the scope, and the other scopes do not', async () => {
  const body = { sold_out_until: 'indefinitely', is_recommended: true };
  const writer = createAdminClient(client, await issueToken(db, tenantId, ['menu:write']));
  assert.equal((await writer.call('PATCH', `/items/${id}`, body)).status, 200);
  const reader = await issueToken(db, tenantId, ['menu:read', 'analytics:read']);
  const { call } = createAdminClient(client, reader);
  (await call('PATCH', `/items/${id}`, { sold_out_until: null })).expect(403);
});

test('the scope finds the results of its own writes and no others', async () => {
  const async = { Prefer: 'respond-async' };
  const body = { sold_out_until: null };
  const own = await kitchen.call('PATCH', `/items/${id}`, body, async);
  const others = await service.admin.call('PATCH', `/items/${id}`, { price: 9 }, async);
  assert.deepEqual([own.status, others.status], [202, 202]);
  const read = (admin: AdminClient, { headers }: typeof own) =>
    admin.get((headers.location ?? '').replace('/api/v1/admin', ''));
  const result = await read(kitchen, own);
  assert.ok([200, 202].includes(result.status), result.text);
  assert.equal((await read(kitchen, others)).status, 404);
  for (const write of [own, others]) {
    assert.ok([200, 202].includes((await read(service.admin, write)).status));
  }
});
