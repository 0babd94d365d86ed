import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { before, describe, test } from 'node:test';
import type { Scope } from '../../../db/schema/token.ts';
import { revokeToken } from '../../../db/sql/tokens.ts';
import {
  adminService,
  createAdminClient,
  issueToken,
  smallRestaurant,
} from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { openSocket, readAnswers, untilRead } from '../../support/raw-socket.ts';
import { dishOf, plant, restaurantOf, sectionOf, wineryOf } from '../../support/restaurant.ts';

const service = await adminService();

/** Speaks to the restaurant with a token of these scopes. */
const adminWith = async (...granted: Scope[]) =>
  createAdminClient(service.client, await issueToken(service.db, service.tenantId, granted));

const ENDPOINTS: [method: string, path: string][] = [
  ...['categories', 'items', 'types', 'wineries'].flatMap((name): [string, string][] => [
    ['GET', `/${name}`],
    ['GET', `/${name}/1`],
    ['POST', `/${name}`],
    ['PUT', `/${name}/1`],
    ['PATCH', `/${name}/1`],
    ['DELETE', `/${name}/1`],
    ['POST', `/${name}/1/restore`],
  ]),
  ...['settings', 'theme'].flatMap((name): [string, string][] => [
    ['GET', `/${name}`],
    ['PUT', `/${name}`],
    ['PATCH', `/${name}`],
  ]),
  ['GET', '/jobs/018f0000-0000-7000-8000-000000000000'],
];

describe('tokens', () => {
  test('every endpoint refuses who has none with 401 and the message of the specification', async () => {
    for (const [method, path] of ENDPOINTS) {
      const reply = await service.client.send(`/api/v1/admin${path}`, { method });
      assert.equal(reply.status, 401, `${method} ${path}`);
      assert.deepEqual(reply.json, { success: false, message: 'Unauthenticated.' });
      assert.equal(reply.headers['www-authenticate'], 'Bearer');
    }
  });

  test('every endpoint refuses a token without its scope with 403', async () => {
    const reader = await adminWith('menu:read');
    const writer = await adminWith('menu:write');
    const analyst = await adminWith('analytics:read');
    for (const [method, path] of ENDPOINTS) {
      const isRead = method === 'GET' && !path.startsWith('/jobs');
      for (const refused of [isRead ? writer : reader, analyst]) {
        const reply = await refused.call(method, path);
        assert.equal(reply.status, 403, `${method} ${path}`);
        assert.deepEqual(reply.json, { success: false, message: 'Invalid ability provided.' });
      }
    }
  });

  test('a change of nothing needs the scope to read, as it only reads the record', async () => {
    const writer = await adminWith('menu:write');
    const both = await adminWith('menu:read', 'menu:write');
    for (const method of ['PUT', 'PATCH']) {
      for (const body of [{}, { id: 7, unknown: true }]) {
        const reply = await writer.call(method, '/theme', body);
        assert.equal(reply.status, 403, `${method} ${JSON.stringify(body)}`);
        assert.deepEqual(reply.json, { success: false, message: 'Invalid ability provided.' });
        assert.equal((await both.call(method, '/theme', body)).status, 200);
      }
      (await writer.call(method, '/theme', { primary_color: '#112233' })).expect(200);
    }
  });

  test('a token is good for its own restaurant only', async () => {
    const { db, gateway, token } = service;
    await plant(db, restaurantOf('vicino', [sectionOf('A', [dishOf('B')])]));
    const stranger = createAdminClient(gateway.client('vicino'), token);
    assert.equal((await stranger.get('/items')).status, 401);
    assert.equal((await stranger.call('DELETE', '/items/1')).status, 401);
  });

  test('a revoked token is refused from that moment on', async () => {
    const { db, tenantId, client } = service;
    const token = await issueToken(db, tenantId);
    const admin = createAdminClient(client, token);
    assert.equal((await admin.get('/settings')).status, 200);
    await revokeToken(db, tenantId, Number(token.split('|')[0]));
    assert.equal((await admin.get('/settings')).status, 401);
  });

  test('a token that is revoked while a body comes writes nothing', async (t) => {
    const { databaseUrl, db, tenantId, client } = service;
    const gateway = await startTestGateway(databaseUrl, {}, { tokenFreshness: 0 });
    t.after(() => gateway.stop());
    const token = await issueToken(db, tenantId);
    const body = Buffer.from(JSON.stringify({ phone: '06 1' }));
    const slow = await openSocket(gateway.port);
    slow.socket.write(
      `PUT /api/v1/admin/settings HTTP/1.1\r\nHost: ${smallRestaurant.slug}.localhost\r\n` +
        `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
    );
    slow.socket.write(body.subarray(0, 5));
    await untilRead(gateway.port);
    // Look-ups are answered in order: the token of the request above has been found by then.
    const other = createAdminClient(gateway.client(smallRestaurant.slug), token);
    assert.equal((await other.get('/settings')).status, 200);
    await revokeToken(db, tenantId, Number(token.split('|')[0]));
    slow.socket.write(body.subarray(5));
    const [answer] = readAnswers(await slow.until((text) => readAnswers(text).length > 0));
    slow.socket.destroy();
    assert.equal(answer?.status, 401);
    assert.notEqual((await client.get('/restaurant')).json.data.phone, '06 1');
  });

  test('other sites’ pages are told nothing', async () => {
    const headers = { Origin: 'https://elsewhere.example' };
    const reply = await service.admin.call('GET', '/items', undefined, headers);
    const preflight = await service.admin.call('OPTIONS', '/items', undefined, headers);
    for (const { headers: sent } of [reply, preflight]) {
      assert.equal(sent['access-control-allow-origin'], undefined);
    }
  });
});

describe('the records of another restaurant', () => {
  const TABLES = { wineries: 'wineries', types: 'types', items: 'dishes', categories: 'sections' };
  const { sql } = service;
  const stored = () =>
    Promise.all(Object.values(TABLES).map((table) => sql(`select * from ${table} order by id`)));
  /** By resource; the first of each is deleted. */
  const theirs = new Map<string, number[]>();
  before(async () => {
    const { db, gateway } = service;
    const wineries = ['Zidarich', 'Kante'].map((name) => wineryOf(name));
    const tenantId = await plant(db, { ...smallRestaurant, slug: 'accanto', wineries });
    const neighbour = createAdminClient(gateway.client('accanto'), await issueToken(db, tenantId));
    for (const [resource, table] of Object.entries(TABLES)) {
      const text = `select id from ${table} where tenant_id = $1 order by id`;
      theirs.set(resource, each(await sql(text, [tenantId]), 'id'));
    }
    for (const [resource, [first]] of theirs) {
      assert.equal((await neighbour.call('DELETE', `/${resource}/${first}`)).status, 204);
    }
  });

  test('are not found by their ids, and stay as they are', async () => {
    const before = await stored();
    for (const [resource, ids] of theirs) {
      for (const id of ids) {
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'POST']) {
          const path = `/${resource}/${id}${method === 'POST' ? '/restore' : ''}`;
          const body = method === 'PUT' || method === 'PATCH' ? {} : undefined;
          const { status } = await service.admin.call(method, path, body);
          assert.equal(status, 404, `${method} ${path}`);
        }
      }
    }
    assert.deepEqual(await stored(), before);
  });

  test('settings and theme are changed for the own one only', async () => {
    const of = (table: string) =>
      sql(`select * from ${table} where tenant_id <> $1 order by 1`, [service.tenantId]);
    const others = async () => [await of('settings'), await of('themes')];
    const before = await others();
    (await service.admin.call('PUT', '/settings', { phone: '040 2' })).expect(200);
    (await service.admin.call('PUT', '/theme', { footer_text: 'Nostro' })).expect(200);
    assert.deepEqual(await others(), before);
  });

  test('are in no list, deleted or not', async () => {
    for (const [resource, ids] of theirs) {
      for (const deleted of [0, 1]) {
        const path = `/${resource}?per_page=100&deleted=${deleted}`;
        const { data, meta } = (await service.admin.get(path)).json;
        assert.equal(meta.total, data.length, path);
        assert.ok(!data.some(({ id }: { id: number }) => ids.includes(id)), path);
      }
    }
  });

  test('cannot be referred to', async () => {
    const [category_id, type_id, winery_id] = ['categories', 'types', 'wineries'].map((resource) =>
      theirs.get(resource)?.at(-1),
    );
    const [own] = (await service.admin.get('/categories')).json.data;
    const name = { it: 'Preso' };
    for (const [path, body] of [
      ['/items', { category_id }],
      ['/items', { category_id: own.id, type_id }],
      ['/items', { category_id: own.id, winery_id }],
      ['/types', { category_id }],
      ['/categories', { parent_id: category_id }],
    ] as const) {
      const refused = await service.admin.call('POST', path, { ...body, name });
      refused.refuses(Object.keys(body).at(-1) ?? '');
    }
  });
});

describe('order of refusals', () => {
  test('unknown restaurant, then path and method, then token, scope and shape', async () => {
    const { gateway, client, admin } = service;
    const unknown = await gateway.client('nessuno').send('/api/v1/admin/items', { method: 'POST' });
    unknown.expect(404).shows(/<html/);
    const wrong = (await client.send('/api/v1/admin/items', { method: 'DELETE' })).expect(405);
    assert.equal(wrong.headers.allow, 'POST, GET, HEAD, OPTIONS');
    assert.equal((await client.send('/api/v1/admin/nothing', { method: 'POST' })).status, 404);
    const reader = await adminWith('menu:read');
    assert.equal((await reader.call('POST', '/items', {})).status, 403);
    assert.equal((await admin.call('POST', '/items', {})).status, 422);
  });

  test('401 is said before the body has arrived', async () => {
    const socket = connect(service.gateway.port, '127.0.0.1');
    socket.write(
      'POST /api/v1/admin/items HTTP/1.1\r\nHost: osteria.localhost\r\n' +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":',
    );
    const answer = await new Promise<string>((resolve) => {
      socket.once('data', (bytes) => resolve(bytes.toString()));
    });
    socket.destroy();
    assert.match(answer, /^HTTP\/1\.1 401 /);
  });
});

test('admin answers are never stored by anybody', async () => {
  const { admin } = service;
  const [section] = (await admin.get('/categories')).json.data;
  for (const path of ['/items', `/categories/${section.id}`, '/settings']) {
    assert.equal((await admin.get(path)).headers['cache-control'], 'no-store', path);
  }
  assert.equal((await admin.call('PUT', '/theme', {})).headers['cache-control'], 'no-store');
});
