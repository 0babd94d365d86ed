// Heads of answers that integrators, browsers and proxies rely on.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { constants } from '../../../db/runtime/constants.ts';
import { adminService } from '../../support/admin.ts';
import { createClient, type Response } from '../../support/http.ts';
import { createVisitor } from '../../support/panel.ts';

const service = await adminService();
const dishes = Array.from({ length: 60 }, (_, at) => ({
  ...{ name: { it: `Piatto ${at}` }, description: { it: 'a'.repeat(300) }, price: 5 },
}));
const category_id = (await service.admin.call('GET', '/categories')).json.data[0].id;
const operations = dishes.map((data) => ({
  ...{ action: 'create', resource: 'items', data: { ...data, category_id } },
}));
assert.equal((await service.admin.call('POST', '/bulk', { operations })).status, 200);

const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  service.client.send(path, { method, headers });

const PATHS = ['/api/v1/menu', '/', '/admin/sign-in', '/nothing', '/api/v1/admin/items', '/docs'];

describe('X-Request-Id', () => {
  test('is on every answer, and new each time', async () => {
    const ids = new Set<string>();
    for (const path of [...PATHS, ...PATHS])
      ids.add((await send(path)).headers['x-request-id'] ?? '');
    const unknown = createClient(service.gateway.port, 'unknown.localhost');
    ids.add((await unknown.send('/')).headers['x-request-id'] ?? '');
    assert.equal(ids.size, 2 * PATHS.length + 1);
    for (const id of ids) assert.match(id, /^[\w-]{8}-[0-9a-z]+$/);
  });

  test('is the one that the client has sent, when it is sane', async () => {
    const uuid = '0b1c7d1e-9c55-4f6c-8a51-1c2d3e4f5a6b';
    for (const sent of ['abc', uuid, 'a:b/c+d=e@f.g', 'x'.repeat(128)]) {
      for (const path of PATHS) {
        assert.equal((await send(path, { 'X-Request-Id': sent })).headers['x-request-id'], sent);
      }
    }
    for (const sent of ['a b', 'é', '<b>', '"x"', 'x'.repeat(129), '']) {
      const { headers } = await send('/api/v1/menu', { 'X-Request-Id': sent });
      assert.match(headers['x-request-id'] ?? '', /^[\w-]{8}-[0-9a-z]+$/, sent);
    }
  });
});

test('every answer with a body says that it is of no other type', async () => {
  for (const path of [...PATHS, '/api/v1/items?q=x']) {
    assert.equal((await send(path)).headers['x-content-type-options'], 'nosniff', path);
  }
});

test('pages use nothing of the browser, and no other page holds them', async () => {
  for (const path of ['/', '/docs', '/admin/sign-in']) {
    const { headers } = await send(path);
    assert.match(headers['permissions-policy'] ?? '', /geolocation=\(\)/, path);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin', path);
  }
});

test('the choice of a language is sent through TLS only where there is TLS', async () => {
  const visitor = createVisitor(service.client);
  for (const [headers, isSecure] of [
    [{}, false],
    [{ 'X-Forwarded-Proto': 'https' }, true],
  ] as const) {
    const reply = await visitor.post('/admin/language', { language: 'de' }, headers);
    const cookie = /lavagna-lang=de[^,]*/.exec(reply.headers['set-cookie'] ?? '')?.[0] ?? '';
    assert.equal(cookie.includes('; Secure'), isSecure);
  }
});

test('OPTIONS is not counted', async () => {
  for (const path of ['/api/v1/menu', '/api/v1/admin/items', '/api/v1/analytics/events']) {
    const left = new Set<unknown>();
    for (let asked = 0; asked < 3; asked += 1) {
      const { headers } = (await send(path, {}, 'OPTIONS')).expect(204);
      left.add(headers['x-ratelimit-remaining']);
    }
    assert.equal(left.size, 1);
  }
});

describe('a long answer that is made for one request', () => {
  const unpack = ({ headers, body }: Response) =>
    String(headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : gunzipSync(body));

  test('is compressed, with a tag of its own', async () => {
    for (const path of ['/items?per_page=100', '/items?search=a&per_page=100']) {
      // The second answer comes from the cache.
      for (let asked = 0; asked < 3; asked += 1) {
        const plain = await service.client.get(path);
        assert.ok(plain.body.length > constants.minCompressedBytes);
        for (const encoding of ['br', 'gzip']) {
          const packed = await service.client.get(path, { 'Accept-Encoding': encoding });
          assert.equal(packed.headers['content-encoding'], encoding);
          assert.equal(packed.headers.vary, 'Accept-Encoding');
          assert.equal(unpack(packed), plain.text);
          assert.notEqual(packed.headers.etag, plain.headers.etag);
          const held = { 'Accept-Encoding': encoding, 'If-None-Match': packed.headers.etag ?? '' };
          assert.equal((await service.client.get(path, held)).status, 304);
        }
      }
    }
  });

  test('of the admin API, too: an export, whose tag guards a write', async () => {
    const { call } = service.admin;
    const packed = await call('GET', '/export', undefined, { 'Accept-Encoding': 'br' });
    assert.equal(packed.headers['content-encoding'], 'br');
    assert.match(packed.headers.etag ?? '', /^"v\d+-br"$/);
    assert.equal(JSON.parse(unpack(packed)).success, true);
    const guarded = { 'If-Match': packed.headers.etag ?? '' };
    const dry = await call('POST', '/bulk', { operations: [], dry_run: true }, guarded);
    assert.notEqual(dry.status, 412, dry.text);
  });
});

test('If-Match takes our own tag as proxies that compress make it', async () => {
  const { call } = service.admin;
  const { id } = (await call('GET', '/items')).json.data[0];
  const forms = [
    (tag: string) => tag,
    (tag: string) => `W/${tag}`,
    (tag: string) => `W/"x", W/${tag}`,
    (tag: string) => `${tag.slice(0, -1)}-gzip"`,
  ];
  for (const [at, form] of forms.entries()) {
    const { etag = '' } = (await call('GET', `/items/${id}`)).headers;
    const patch = (price: number) =>
      call('PATCH', `/items/${id}`, { price }, { 'If-Match': form(etag) });
    assert.equal((await patch(5 + at)).status, 200, form(etag));
    (await patch(99)).expect(412);
  }
});
