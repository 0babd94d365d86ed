// The number, the energy and the origin of a dish, at every door.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';

const service = await adminService();

const create = async (more: object) =>
  service.admin.call('POST', '/items', { category_id: 1, name: { it: 'Tagliata' }, ...more });
const page = async () =>
  (await service.client.send('/', { headers: { 'Accept-Language': 'it' } })).text;

test('a dish has a number, kilocalories and an origin, which guests read', async () => {
  const facts = { code: '104', kcal: 640, origin: { it: 'Manzo: Italia', en: 'Beef: Italy' } };
  const { json } = (await create(facts)).expect(201);
  const { data } = (await service.client.get(`/items/${json.data.id}`)).json;
  assert.deepEqual([data.code, data.kcal, data.origin], ['104', 640, facts.origin.it]);
  assert.deepEqual(data.origin_translations, facts.origin);
  const text = await page();
  assert.match(text, /<span class="code"[^>]*><span class="own">104<\/span><\/span>/);
  assert.match(text, /640 kcal<\/span> · <span dir="auto">Manzo: Italia</);
  assert.match(text, /"calories":"640 kcal"/);
  const table = await service.admin.get('/export?format=csv');
  const again = await service.admin.importTable(table.text);
  assert.equal(again.json.data.counts.updated, 0, JSON.stringify(again.json.data));
  await service.admin.importTable(`id,kcal,code\n${json.data.id},,\n`);
  const after = await service.admin.get(`/items/${json.data.id}`);
  assert.deepEqual([after.json.data.kcal, after.json.data.code], [null, '']);
});

test('a number of kilocalories below 0 or with decimals, and a long code, are refused', async () => {
  for (const wrong of [{ kcal: -1 }, { kcal: 1.5 }, { kcal: 100_000 }, { code: 'x'.repeat(21) }]) {
    assert.equal((await create(wrong)).status, 422, JSON.stringify(wrong));
  }
});

test('a dish without a price shows none', async () => {
  await create({ name: { it: 'Menù del giorno' } });
  const text = await page();
  const [dish = ''] =
    /<li class="dish(?:(?!<\/li>).)*Menù del giorno(?:(?!<\/li>).)*/s.exec(text) ?? [];
  assert.ok(dish.includes('Menù del giorno'));
  assert.doesNotMatch(dish, /class="price"/);
});
