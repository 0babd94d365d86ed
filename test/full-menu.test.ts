import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bounds } from '../db/bounds.ts';
import { LOCALES } from '../db/records/locale.ts';
import { type AdminService, startAdminService } from './support/admin.ts';

let service: AdminService;
before(async () => {
  service = await startAdminService();
});
after(() => service.stop());

const call = (method: string, path: string, body?: unknown) =>
  service.admin.call(method, path, body);

/** In every language as long as it may be, in characters of four bytes each. */
const long = Object.fromEntries(LOCALES.map((locale) => [locale, '😀'.repeat(2_000)]));
const LONG_BYTES = LOCALES.length * 2_000 * 4;

async function create(resource: string, body: object): Promise<number> {
  const reply = await call('POST', `/${resource}`, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.json.data.id;
}

async function assertFull(method: string, path: string, body?: unknown): Promise<void> {
  const { status, json } = await call(method, path, body);
  assert.equal(status, 422, `${method} ${path}`);
  assert.match(json.errors.menu[0], /dimensione massima/);
}

test('a menu does not grow beyond what can be served, and stays correctable', async () => {
  const section = await create('categories', { name: { it: 'Vini' }, menu_type: 'wine' });
  const winery_id = await create('wineries', { name: 'Prolissa', description: long });
  const wine = { category_id: section, name: { it: 'Rosso' }, winery_id };
  const plain = await create('items', { category_id: section, name: { it: 'Sfuso' } });
  // Each wine carries its winery, which stands there by itself as well.
  const count = Math.floor(bounds.maxMenuLength / LONG_BYTES) - 1;
  const wines = await Promise.all(Array.from({ length: count }, () => create('items', wine)));

  await assertFull('POST', '/items', wine);
  await assertFull('POST', '/categories', { name: { it: 'Altri' } });
  await assertFull('PUT', `/items/${plain}`, { winery_id });
  await assertFull('PUT', `/items/${plain}`, { description: long });
  const errors = await call('POST', '/items', { ...wine, category_id: 999_999 });
  assert.deepEqual(Object.keys(errors.json.errors), ['category_id', 'menu']);
  assert.equal((await call('PUT', `/items/${plain}`, { price: 5 })).status, 200);
  assert.equal((await service.client.get(`/items/${plain}`)).json.data.price, 5);
  assert.equal((await service.client.get('/menu')).status, 200);

  assert.equal((await call('DELETE', `/items/${wines[0]}`)).status, 204);
  assert.equal((await call('DELETE', `/items/${wines[1]}`)).status, 204);
  await create('items', wine);
  assert.equal((await call('POST', `/items/${wines[0]}/restore`)).status, 200);
  await assertFull('POST', `/items/${wines[1]}/restore`);
  assert.equal((await call('PUT', `/wineries/${winery_id}`, { description: null })).status, 200);
  assert.equal((await call('POST', `/items/${wines[1]}/restore`)).status, 200);
});
