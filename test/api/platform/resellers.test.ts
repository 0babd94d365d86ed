// Those who sell Lavagna: search, quotas, usage, many restaurants at once, and tokens with scopes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdminClient, issueToken, smallRestaurant } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { forFile } from '../../support/for-file.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { startMenuService } from '../../support/menu-service.ts';
import { createOperatorApi, PLATFORM_TOKEN } from '../../support/operator-api.ts';
import { addUser } from '../../support/panel.ts';
import { startTestWorker } from '../../support/worker.ts';

const service = await forFile(async () => {
  const menus = await startMenuService([smallRestaurant], { env: { PLATFORM_TOKEN } });
  const worker = await startTestWorker(menus.databaseUrl);
  const stop = async () => {
    await worker.stop();
    await menus.stop();
  };
  return { ...menus, stop };
})();
const api = createOperatorApi(service.gateway.port);
const { call, expect } = api;
/** The slugs of the restaurants that a query finds. */
const found = async (query: string) =>
  each((await expect(200, 'GET', `/restaurants?${query}`)).data, 'slug');

const scopes = ['menu:read', 'menu:write'];
const house = (slug: string, more: object = {}) => ({
  ...{ slug, name: `Casa ${slug}`, locale: 'de' },
  user: { email: `ada@${slug}.example`, name: 'Ada' },
  token: { name: 'Cassa', scopes },
  ...more,
});

test('POST /platform/bulk makes restaurants with a user and a token that works', async () => {
  const restaurants = [house('ape'), house('osteria'), house('bue', { max_dishes: 2 })];
  const { data, meta } = await expect(200, 'POST', '/bulk', { restaurants });
  assert.deepEqual([meta.created, meta.failed], [2, 1]);
  assert.deepEqual(each(data, 'outcome'), ['created', 'failed', 'created']);
  assert.deepEqual(data[1].codes, { slug: [{ rule: 'unique' }] });
  const [ape] = data;
  assert.equal(new URL(ape.user.link).hostname, 'ape.localhost');
  const client = service.gateway.client('ape');
  assert.equal((await client.send(new URL(ape.user.link).pathname)).status, 200);
  assert.equal((await createAdminClient(client, ape.token.token).get('/items')).status, 200);
  assert.equal((await expect(200, 'GET', '/restaurants/bue')).data.max_dishes, 2);
});

test('POST /platform/bulk makes nothing when an entry has a wrong form', async () => {
  const wrong = [house('cane'), { slug: 'x y', name: '' }, house('dodo', { user: undefined }), 7];
  const refused = await expect(422, 'POST', '/bulk', { restaurants: wrong });
  const entries = ['1.name', '1.slug', '2.user', '3'].map((one) => `restaurants.${one}`);
  assert.deepEqual(new Set(Object.keys(refused.codes)), new Set(entries));
  await expect(404, 'GET', '/restaurants/cane');
  await expect(422, 'POST', '/bulk', { restaurants: [] });
});

test('POST /platform/bulk goes on with its key where an earlier call has stopped', async () => {
  const body = { restaurants: [house('ego'), house('faro')] };
  const once = { 'Idempotency-Key': 'night' };
  const first = (await call('POST', '/bulk', body, once)).expect(200);
  // The connection broke before the second one was made.
  await service.sql("delete from tenants where slug = 'faro'");
  await service.sql`delete from platform_actions where at = (select max(at) from platform_actions)`;
  const again = await call('POST', '/bulk', body, once);
  assert.deepEqual(again.json.data[0], first.json.data[0]);
  assert.deepEqual(again.json.data[1].outcome, 'created');
  assert.notEqual(again.json.data[1].token.token, first.json.data[1].token.token);
  const other = await call('POST', '/bulk', { restaurants: [house('gatto')] }, once);
  assert.equal(other.json.data[0].codes.idempotency_key[0].rule, 'keyReused');
  await expect(404, 'GET', '/restaurants/gatto');
});

test('POST /platform/restaurants/{slug}/tokens answers a repeated key with the same token', async () => {
  await addUser(service.db, service.tenantId, 'rosa@osteria.example');
  const body = { user: 'rosa@osteria.example', name: 'Cassa', scopes };
  const send = () =>
    call('POST', '/restaurants/osteria/tokens', body, { 'Idempotency-Key': 'till' });
  const [first, again] = [await send(), await send()];
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(again.json.data, first.json.data);
  assert.equal((await expect(200, 'GET', '/restaurants/osteria/tokens')).data.length, 1);
});

test('POST /platform/restaurants with a key leaves nothing behind when it is refused', async () => {
  const key = { 'Idempotency-Key': 'refused' };
  (await call('POST', '/restaurants', { slug: 'osteria', name: 'X' }, key)).expect(422);
  (await call('POST', '/restaurants', { slug: 'iris', name: 'Iris' }, key)).expect(201);
});

test('GET /platform/restaurants finds by words and state, page by page', async () => {
  await expect(200, 'PATCH', '/restaurants/bue', { suspended: true });
  assert.deepEqual(await found('state=suspended'), ['bue']);
  assert.deepEqual(await found('q=CASA%20AP'), ['ape']);
  assert.deepEqual(await found('q=%25'), []);
  await expect(201, 'POST', '/restaurants/ape/hosts', { name: 'menu.ape.example' });
  assert.deepEqual(await found('q=menu.ape'), ['ape']);
  await expect(422, 'GET', '/restaurants?state=eaten');
  const all = await found('');
  const paged: string[] = [];
  let cursor: number | null = 0;
  while (cursor !== null) {
    const page = await expect(200, 'GET', `/restaurants?limit=2&after=${cursor}`);
    paged.push(...each(page.data as { slug: string }[], 'slug'));
    cursor = page.meta.next_after;
  }
  assert.deepEqual(paged, all);
  await expect(200, 'PATCH', '/restaurants/bue', { suspended: false });
});

test('a quota refuses more dishes and users, in every way in which they come', async () => {
  const token = await issueToken(service.db, service.tenantId);
  const admin = createAdminClient(service.client, token);
  const { data } = (await admin.get('/items')).json;
  const section = (await admin.get('/categories')).json.data[0].id;
  const max = data.length;
  await expect(200, 'PATCH', '/restaurants/osteria', { max_dishes: max, max_users: 2 });
  const dish = { category_id: section, name: { it: 'Alici' }, price: 5 };
  const expected = { dishes: [{ rule: 'quota', max }] };
  const refuse = async (method: string, path: string, body?: object) => {
    const answer = await admin.call(method, path, body);
    assert.deepEqual([answer.status, answer.json.codes], [422, expected], answer.text);
    return answer.json.message;
  };
  assert.match(await refuse('POST', '/items', dish), new RegExp(`al massimo ${max}`));
  const operations = [{ resource: 'items', action: 'create', data: dish }];
  await refuse('POST', '/bulk', { operations });
  const menu = (await admin.get('/export')).json.data;
  menu.items.push({ ...menu.items[0], id: undefined, external_id: 'new', name: { it: 'Nuovo' } });
  await refuse('PUT', '/import', menu);
  // Dishes that are there can change, and one may take the place of another.
  assert.equal((await admin.call('PATCH', `/items/${data[0].id}`, { price: 7 })).status, 200);
  const exchange = [{ resource: 'items', action: 'delete', id: data[0].id }, ...operations];
  (await admin.call('POST', '/bulk', { operations: exchange })).expect(200);
  await refuse('POST', `/items/${data[0].id}/restore`);
  const path = '/restaurants/osteria/users';
  const many = await expect(422, 'POST', path, { email: 'eva@osteria.example' });
  assert.deepEqual(many.codes, { users: [{ rule: 'quota', max: 2 }] });
  await expect(422, 'PATCH', '/restaurants/osteria', { max_dishes: 0 });
  const half = await expect(422, 'PATCH', '/restaurants/osteria', { max_dishes: 0.5 });
  assert.deepEqual(half.codes, { max_dishes: [{ rule: 'integer' }] });
  await expect(200, 'PATCH', '/restaurants/osteria', { max_dishes: null, max_users: null });
  assert.equal((await admin.call('POST', '/items', dish)).status, 201);
});

test('usage counts what a restaurant has, and the requests of its limits', async () => {
  const client = service.gateway.client('ape');
  for (let i = 0; i < 3; i += 1) await client.get('/menu');
  // A gateway that stops stores what it has counted.
  const other = await startTestGateway(service.databaseUrl);
  for (let i = 0; i < 4; i += 1) await other.client('ape').get('/menu');
  await other.stop();
  const { data, meta } = await expect(200, 'GET', '/restaurants/ape/usage');
  assert.deepEqual([data.users, data.dishes, data.photos, data.photo_bytes], [1, 0, 0, 0]);
  assert.equal(data.requests, 4);
  assert.deepEqual(data.days, [{ day: meta.to, events: 0, requests: 4 }]);
  assert.deepEqual(data.quotas, { max_dishes: null, max_photos_mb: null, max_users: null });
  const list = await expect(200, 'GET', '/usage?limit=1');
  assert.equal(list.data[0].slug, 'osteria');
  assert.ok(list.data[0].dishes > 0 && list.meta.next_after === list.data[0].id);
  await expect(422, 'GET', '/usage?from=2026-02-30');
  await expect(422, 'GET', '/usage?from=2026-03-02&to=2026-03-01');
});

test('a token of operators may do what its scopes say, until it is revoked', async () => {
  const body = { name: 'Shop', scopes: ['restaurants:read', 'restaurants:write'] };
  const { data } = await expect(201, 'POST', '/tokens', body);
  const shop = createOperatorApi(service.gateway.port, data.token);
  await shop.expect(200, 'GET', '/restaurants/ape');
  await shop.expect(201, 'POST', '/restaurants', { slug: 'kiwi', name: 'Kiwi' });
  await shop.expect(403, 'DELETE', '/restaurants/kiwi?confirm=kiwi');
  await shop.expect(403, 'GET', '/restaurants/ape/tokens');
  await shop.expect(403, 'POST', '/tokens', body);
  const second = await expect(201, 'POST', '/tokens', { ...body, expires_in_days: 1 });
  const next = createOperatorApi(service.gateway.port, second.data.token);
  // Both are valid while programs change from one to the other.
  await next.expect(200, 'GET', '/restaurants/ape');
  await shop.expect(200, 'GET', '/restaurants/ape');
  await expect(204, 'DELETE', `/tokens/${data.id}`);
  await shop.expect(401, 'GET', '/restaurants/ape');
  await service.sql("update platform_tokens set expires_at = now() - interval '1 s'");
  await next.expect(401, 'GET', '/restaurants/ape');
  const { data: listed } = await expect(200, 'GET', '/tokens');
  assert.equal(JSON.stringify(listed).includes(data.token.split('_')[2]), false);
  assert.ok(listed[0].last_used_at !== null);
  await expect(422, 'POST', '/tokens', { name: 'X', scopes: ['menu:read'] });
});
