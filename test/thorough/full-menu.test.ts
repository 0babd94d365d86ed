import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { LOCALES } from '../../db/schema/values/locale.ts';
import { adminService } from '../support/admin.ts';

const service = await adminService();

const { call } = service.admin;

/** In every language as long as it may be, in characters of four bytes each. */
const long = Object.fromEntries(LOCALES.map((locale) => [locale, '😀'.repeat(2_000)]));
const LONG_BYTES = LOCALES.length * 2_000 * 4;
/** Room for the other fields of a wine and its winery, and a little more. */
const RECORD_BYTES = 1_000;
/** A menu has room for so many wines of such a winery, which is counted once more. */
const ROOM = Math.floor(constants.maxMenuLength / (LONG_BYTES + RECORD_BYTES)) - 1;

async function create(resource: string, body: object): Promise<number> {
  return (await call('POST', `/${resource}`, body)).expect(201).json.data.id;
}

const createSection = (parts = {}) => create('categories', { name: { it: 'Vini' }, ...parts });

function createWines(count: number, parts: object): Promise<number[]> {
  const wine = { name: { it: 'Rosso' }, ...parts };
  return Promise.all(Array.from({ length: count }, () => create('items', wine)));
}

async function assertFull(method: string, path: string, body?: unknown): Promise<void> {
  const { status, json } = await call(method, path, body);
  assert.equal(status, 422, `${method} ${path}`);
  assert.match(json.errors.menu[0], /dimensione massima/);
}

async function assertDone(status: number, method: string, path: string, body?: unknown) {
  const reply = await call(method, path, body);
  assert.equal(reply.status, status, `${method} ${path} ${reply.text}`);
}

test('a menu does not grow beyond what can be served, and stays correctable', async () => {
  const category_id = await createSection();
  const winery_id = await create('wineries', { name: 'Prolissa', description: long });
  const wine = { category_id, name: { it: 'Rosso' }, winery_id };
  const plain = await create('items', { category_id, name: { it: 'Sfuso' } });
  const wines = await createWines(ROOM, wine);

  await assertFull('POST', '/items', wine);
  await assertFull('PUT', `/items/${plain}`, { winery_id });
  await assertFull('PUT', `/items/${plain}`, { description: long });
  const errors = await call('POST', '/items', { ...wine, category_id: 999_999 });
  assert.deepEqual(Object.keys(errors.json.errors), ['category_id', 'menu']);
  // Little for one record, and too much for every wine that carries it.
  const [region, country] = ['x'.repeat(200), 'y'.repeat(200)];
  await assertFull('PUT', `/wineries/${winery_id}`, { region, country });

  await assertDone(200, 'PUT', `/items/${plain}`, { price: 5 });
  assert.equal((await service.client.get(`/items/${plain}`)).json.data.price, 5);
  await assertDone(200, 'PUT', '/settings', { phone: '06 1234567' });
  await assertDone(200, 'PUT', '/theme', { footer_text: 'Grazie' });
  assert.equal((await service.client.get('/menu')).status, 200);

  await assertDone(204, 'DELETE', `/items/${wines.pop()}`);
  await create('items', wine);
  await assertDone(200, 'PUT', `/wineries/${winery_id}`, { description: null });
  await assertDone(204, 'DELETE', `/categories/${category_id}`);
});

test('a winery is counted with each of its wines, and what was deleted when it comes back', async () => {
  const category_id = await createSection();
  const winery_id = await create('wineries', { name: 'Breve' });
  await createWines(ROOM + 2, { category_id, winery_id });
  await assertFull('PUT', `/wineries/${winery_id}`, { description: long });
  await assertDone(204, 'DELETE', `/categories/${category_id}`);

  const half = Math.ceil(ROOM / 2) + 1;
  await assertDone(200, 'PUT', `/wineries/${winery_id}`, { description: long });
  const [first, second] = [await createSection(), await createSection()];
  const [wine] = await createWines(half, { category_id: first, winery_id });
  await assertDone(204, 'DELETE', `/categories/${first}`);
  await createWines(half, { category_id: second, winery_id });
  await assertFull('POST', `/categories/${first}/restore`);
  assert.equal((await service.admin.get(`/items/${wine}`)).status, 404, 'nothing of it is back');
  await assertDone(204, 'DELETE', `/categories/${second}`);
  await assertDone(200, 'POST', `/categories/${first}/restore`);
  assert.equal((await service.admin.get(`/items/${wine}`)).status, 200);
});
