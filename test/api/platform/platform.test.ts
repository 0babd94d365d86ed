// The platform's API: an operator's program looks after restaurants as the command line does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallRestaurant } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { testGateway } from '../../support/gateway.ts';
import { createClient } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { createOperatorApi, PLATFORM_TOKEN as TOKEN } from '../../support/operator-api.ts';
import { untilStatus } from '../../support/until.ts';

const service = await menuService([smallRestaurant], { env: { PLATFORM_TOKEN: TOKEN } });
const host = createClient(service.gateway.port, 'localhost');
const { call, expect } = createOperatorApi(service.gateway.port);
const menuOf = (slug: string) => service.gateway.client(slug).get('/menu');

test('the platform answers its token alone, and is not there at a restaurant’s host', async () => {
  for (const token of ['', 'x', `${TOKEN}x`, TOKEN.slice(1)]) {
    const stranger = createOperatorApi(service.gateway.port, token);
    const answer = await stranger.call('GET', '/restaurants');
    assert.deepEqual([answer.status, answer.json.message], [401, 'Unauthenticated.']);
  }
  const headers = { Authorization: `Bearer ${TOKEN}` };
  (await service.client.send('/platform/restaurants', { headers })).expect(404);
  await expect(404, 'GET', '/cooks');
  const other = await call('PUT', '/restaurants');
  assert.deepEqual([other.status, other.headers.allow], [405, 'GET, POST, HEAD']);
});

test('without a token that is set up there is no platform', async () => {
  const gateway = await testGateway(service.databaseUrl);
  const stranger = createClient(gateway.port, 'localhost');
  const headers = { Authorization: 'Bearer undefined' };
  const answer = (await stranger.send('/platform/restaurants', { headers })).expect(404);
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
});

test('a restaurant is created, listed, renamed, suspended, served again and deleted', async () => {
  const made = await expect(201, 'POST', '/restaurants', { slug: 'Nuova', name: 'La Nuova' });
  assert.deepEqual([made.data.slug, made.data.default_locale], ['nuova', 'it']);
  assert.equal((await menuOf('nuova')).json.data.settings.name, 'La Nuova');
  const taken = await expect(422, 'POST', '/restaurants', { slug: 'nuova', name: 'X' });
  assert.deepEqual(taken.codes, { slug: [{ rule: 'unique' }] });
  const listed = await expect(200, 'GET', '/restaurants?limit=1');
  const rest = await expect(200, 'GET', `/restaurants?after=${listed.data[0].id}`);
  assert.deepEqual(each([...listed.data, ...rest.data], 'slug'), ['osteria', 'nuova']);
  const path = '/restaurants/nuova';
  const misspelled = await expect(200, 'PATCH', path, { is_suspended: true });
  assert.deepEqual([misspelled.data.suspended, misspelled.meta.ignored], [false, ['is_suspended']]);
  assert.equal((await expect(200, 'PATCH', path, { suspended: true })).data.suspended, true);
  await untilStatus('it is served', 404, () => menuOf('nuova'));
  assert.match((await menuOf('nuova')).headers['content-type'] ?? '', /html/);
  await expect(200, 'PATCH', path, { suspended: false });
  await untilStatus('it is not served', 200, () => menuOf('nuova'));
  await expect(422, 'PATCH', path, { slug: 'osteria' });
  await expect(200, 'PATCH', path, { slug: 'altra' });
  await untilStatus('it is not served', 200, () => menuOf('altra'));
  await expect(404, 'GET', path);
  await expect(422, 'DELETE', '/restaurants/altra');
  await expect(422, 'DELETE', '/restaurants/altra?confirm=osteria');
  await expect(200, 'DELETE', '/restaurants/altra?confirm=altra');
  await untilStatus('it is served', 404, () => menuOf('altra'));
});

test('a user is invited by a link, and a token of a user works until it is revoked', async () => {
  const path = '/restaurants/osteria';
  const invited = await expect(201, 'POST', `${path}/users`, { email: 'Ada@osteria.example' });
  assert.deepEqual([invited.data.email, invited.data.role], ['ada@osteria.example', 'owner']);
  const link = new URL(invited.data.link);
  assert.equal(link.hostname, 'osteria.localhost');
  assert.equal((await service.client.send(link.pathname)).status, 200);
  const again = await expect(422, 'POST', `${path}/users`, { email: 'ada@osteria.example' });
  assert.deepEqual(Object.keys(again.errors), ['email']);
  const people = await expect(200, 'GET', `${path}/users`);
  assert.deepEqual(
    people.data.map(({ email, state }: Record<string, string>) => [email, state]),
    [['ada@osteria.example', 'invited']],
  );
  const scopes = ['menu:read', 'menu:write'];
  const token = { user: 'ada@osteria.example', name: 'Cassa', scopes };
  const { data } = await expect(201, 'POST', `${path}/tokens`, token);
  const read = () => service.client.get('/admin/items', { Authorization: `Bearer ${data.token}` });
  assert.equal((await read()).status, 200);
  await expect(404, 'POST', `${path}/tokens`, { ...token, user: 'eva@osteria.example' });
  await expect(422, 'POST', `${path}/tokens`, { ...token, scopes: ['menu:eat'] });
  const { data: tokens } = await expect(200, 'GET', `${path}/tokens`);
  assert.equal('token' in tokens[0], false);
  await expect(204, 'DELETE', `${path}/tokens/${data.id}`);
  assert.equal((await read()).status, 401);
  await expect(404, 'DELETE', `${path}/tokens/${data.id}`);
});

test('bad input is refused with its fields', async () => {
  const cases: [object, string[]][] = [
    [{}, ['slug', 'name']],
    [{ slug: 'a b', name: 'X' }, ['slug']],
    [{ slug: 'x', name: '', locale: 'xx' }, ['name', 'locale']],
    [{ slug: 5, name: 'X\u0007' }, ['slug', 'name']],
  ];
  for (const [body, fields] of cases) {
    const { errors } = await expect(422, 'POST', '/restaurants', body);
    assert.deepEqual(new Set(Object.keys(errors)), new Set(fields), JSON.stringify(body));
  }
  (
    await host.send('/platform/restaurants', {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: '{"slug": ',
    })
  ).expect(422);
  await expect(422, 'GET', '/restaurants?after=x');
  await expect(404, 'GET', '/restaurants/%00');
});

test('an unknown parameter is named in meta.ignored beside unknown fields', async () => {
  const path = '/restaurants/osteria';
  const list = await expect(200, 'GET', '/restaurants?limits=3&after=0');
  assert.deepEqual(list.meta.ignored, ['limits']);
  assert.deepEqual((await expect(200, 'GET', `${path}?after=1`)).meta.ignored, ['after']);
  const changed = await expect(200, 'PATCH', `${path}?dry_run=1`, { suspended: false, nome: 'X' });
  assert.deepEqual(changed.meta.ignored, ['dry_run', 'nome']);
  assert.equal('ignored' in (await expect(200, 'GET', `${path}/tokens`)).meta, false);
});

test('the document of the platform has its operations', async () => {
  const document = (await call('GET', '/openapi.json')).json;
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual(Object.keys(document.paths['/restaurants/{slug}']), ['get', 'patch', 'delete']);
  assert.ok(document.paths['/restaurants'].post.requestBody.content['application/json'].schema);
});

test('an address that tries many tokens is told to wait', async () => {
  const strict = await testGateway(service.databaseUrl, {
    PLATFORM_TOKEN: TOKEN,
    LIMIT_PLATFORM: '3',
  });
  const client = createClient(strict.port, 'localhost');
  const statuses = [];
  for (let count = 0; count < 4; count += 1) {
    statuses.push(await client.send('/platform/restaurants'));
  }
  assert.deepEqual(each(statuses, 'status'), [401, 401, 401, 429]);
  assert.ok(Number(statuses.at(-1)?.headers['retry-after']) > 0);
});
