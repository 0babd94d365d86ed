import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { createClient } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';

const service = await menuService([trattoria]);
const { client, gateway } = service;

const READS = ['/menu', '/menu/en', '/categories', '/categories/1', '/items', '/items?search=a'];
const GZIP = { 'Accept-Encoding': 'gzip' };
const ALL_READS = [...READS, '/items/1', '/restaurant', '/theme', '/allergens'];

describe('conditional requests', () => {
  test('every read has a strong ETag and answers 304 to it, without a body', async () => {
    for (const path of ALL_READS) {
      const full = await client.get(path);
      assert.match(full.headers.etag ?? '', /^"[^"]+"$/, path);
      const again = await client.get(path, { 'If-None-Match': full.headers.etag ?? '' });
      assert.equal(again.status, 304, path);
      assert.equal(again.body.length, 0);
      assert.equal(again.headers.etag, full.headers.etag);
      assert.ok(again.headers['x-ratelimit-limit']);
    }
  });

  test('the tag stays while the menu does, and differs between resources', async () => {
    const tags = await Promise.all(ALL_READS.map(async (p) => (await client.get(p)).headers.etag));
    const again = await Promise.all(ALL_READS.map(async (p) => (await client.get(p)).headers.etag));
    assert.deepEqual(again, tags);
    assert.equal(new Set(tags).size, tags.length);
  });

  test('lists, weak forms and * count', async () => {
    const { etag = '' } = (await client.get('/menu')).headers;
    const forms = [`"x", ${etag}`, `W/${etag}`, `"a",W/"b",W/${etag}`, '*', ` ${etag} `];
    for (const form of forms) {
      const { status } = await client.get('/menu', { 'If-None-Match': form });
      assert.equal(status, 304, form);
    }
    for (const form of ['"x"', 'W/"x"', etag.replaceAll('"', ''), '""', ',', '"']) {
      const { status } = await client.get('/menu', { 'If-None-Match': form });
      assert.equal(status, 200, form);
    }
  });

  test('a plain copy is one for every client, a compressed one for those who ask for it', async () => {
    const [plain, gzip] = [await client.get('/menu'), await client.get('/menu', GZIP)];
    const ask = async (tag = '', headers = {}) => {
      const asked = { 'If-None-Match': tag, ...headers };
      const { status, headers: told } = await client.get('/menu', asked);
      return [status, told.etag];
    };
    assert.deepEqual(await ask(gzip.headers.etag, GZIP), [304, gzip.headers.etag]);
    assert.deepEqual(await ask(plain.headers.etag, GZIP), [304, plain.headers.etag]);
    assert.deepEqual(await ask(gzip.headers.etag), [200, plain.headers.etag]);
    assert.equal((await ask(gzip.headers.etag, { 'Accept-Encoding': 'br' }))[0], 200);
  });

  test('a refusal is never 304', async () => {
    for (const path of ['/items/999999', '/nothing']) {
      assert.equal((await client.get(path, { 'If-None-Match': '*' })).status, 404);
    }
  });
});

describe('encodings', () => {
  test('/menu and /categories come in gzip and br with the same content', async () => {
    for (const path of ['/menu', '/menu/de', '/categories']) {
      const plain = await client.get(path);
      assert.equal(plain.headers['content-encoding'], undefined);
      const gzip = await client.get(path, { 'Accept-Encoding': 'gzip' });
      assert.equal(gzip.headers['content-encoding'], 'gzip');
      assert.ok(gunzipSync(gzip.body).equals(plain.body));
      const br = await client.get(path, { 'Accept-Encoding': 'gzip, deflate, br' });
      assert.equal(br.headers['content-encoding'], 'br');
      assert.ok(brotliDecompressSync(br.body).equals(plain.body));
      assert.ok(br.body.length < plain.body.length / 4);
      const tags = [plain, gzip, br].map(({ headers }) => headers.etag);
      assert.equal(new Set(tags).size, 3, 'a strong tag belongs to one sequence of bytes');
      for (const { headers } of [plain, gzip, br]) assert.equal(headers.vary, 'Accept-Encoding');
    }
  });

  test('weights decide, and what is refused is not sent', async () => {
    const cases: [string, string | undefined][] = [
      ['br;q=0.5, gzip;q=0.9', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['gzip;q=0, br;q=0', undefined],
      ['identity', undefined],
      ['*', 'br'],
      ['*;q=0', undefined],
      ['GZIP', 'gzip'],
      ['gzip;q=0.5, identity', undefined],
      ['deflate, compress', undefined],
      ['br;q=nonsense', 'br'],
      [';;;,,,q=', undefined],
      [`${'x,'.repeat(200)}br`, undefined],
    ];
    for (const [accepted, encoding] of cases) {
      const { headers } = (await client.get('/menu', { 'Accept-Encoding': accepted })).expect(200);
      assert.equal(headers['content-encoding'], encoding, accepted);
    }
  });
});

describe('methods', () => {
  test('HEAD has the headers of GET and no body', async () => {
    for (const path of ALL_READS) {
      const get = await client.get(path);
      const head = (await client.send(`/api/v1${path}`, { method: 'HEAD' })).expect(200);
      assert.equal(head.body.length, 0);
      for (const name of ['etag', 'content-type', 'content-length', 'vary', 'cache-control']) {
        assert.equal(head.headers[name], get.headers[name], `${name} of ${path}`);
      }
    }
    assert.equal((await client.send('/api/v1/items/0', { method: 'HEAD' })).status, 404);
  });

  test('other methods are 405 with Allow and a JSON body', async () => {
    for (const path of ALL_READS) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PURGE']) {
        const response = await client.send(`/api/v1${path}`, { method, body: '{"a":1}' });
        assert.equal(response.status, 405, `${method} ${path}`);
        assert.equal(response.headers.allow, 'GET, HEAD, OPTIONS');
        assert.deepEqual(response.json, { success: false, message: 'Method Not Allowed' });
      }
    }
  });

  test('an unknown path is a JSON 404 for every method', async () => {
    const odd = ['/nothing', '/api/v1', '/api/v1/', '/api/v2/menu', '/menu', '/api/v1/menu/it/x'];
    for (const path of odd) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await client.send(path, { method });
        assert.equal(response.status, 404, `${method} ${path}`);
        assert.deepEqual(response.json, { success: false, message: 'Resource not found.' });
      }
    }
  });
});

/** The preflight of a page of another site. */
const ELSEWHERE = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' };

describe('browsers of other sites', () => {
  test('may read every answer of the public API, and see its headers', async () => {
    const headers = { Origin: 'https://elsewhere.example' };
    for (const path of [...ALL_READS, '/items/0', '/nothing', '/items?category_id=x']) {
      const response = await client.get(path, headers);
      assert.equal(response.headers['access-control-allow-origin'], '*', path);
      const exposed = (response.headers['access-control-expose-headers'] ?? '').split(', ');
      const named = ['ETag', 'Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'];
      for (const name of named) assert.ok(exposed.includes(name), name);
    }
  });

  test('may ask before a conditional request', async () => {
    const asked = { ...ELSEWHERE, 'Access-Control-Request-Headers': 'if-none-match' };
    const options = { method: 'OPTIONS', headers: asked };
    const { headers, body } = (await client.send('/api/v1/menu', options)).expect(204);
    assert.equal(body.length, 0);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.match(headers['access-control-allow-methods'] ?? '', /GET/);
    assert.match(headers['access-control-allow-headers'] ?? '', /If-None-Match/i);
  });
});

test('pages of other sites are given no terms for the admin API', async () => {
  const options = { method: 'OPTIONS', headers: ELSEWHERE };
  const { status, headers } = await client.send('/api/v1/admin/items', options);
  assert.deepEqual([status, headers.allow], [204, 'POST, GET, HEAD, OPTIONS']);
  const terms = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
  assert.deepEqual(terms, []);
});

describe('hosts', () => {
  test('case, port and trailing dot do not matter', async () => {
    const hosts = ['TRATTORIA.LocalHost', 'trattoria.localhost.', 'trattoria.localhost:80'];
    for (const host of [...hosts, `Trattoria.localhost.:${gateway.port}`]) {
      assert.equal((await createClient(gateway.port, host).get('/menu')).status, 200, host);
    }
  });

  test('an unknown one gets the branded page, on every path and method', async () => {
    const hosts = ['unknown.localhost', 'localhost', '127.0.0.1', 'a.trattoria.localhost'];
    const odd = [
      'trattoria.localhost.example',
      'xtrattoria',
      '-x.localhost',
      '.localhost',
      '[::1]',
    ];
    for (const host of [...hosts, ...odd, 'trattoria.localhostx', `${'x'.repeat(64)}.localhost`]) {
      const stranger = createClient(gateway.port, host);
      for (const path of ['/', '/api/v1/menu', '/admin/api-tokens', '/nothing']) {
        const { status, headers, text } = await stranger.send(path);
        assert.equal(status, 404, host);
        assert.match(headers['content-type'] ?? '', /^text\/html/);
        assert.match(text, /Lavagna/);
        assert.match(text, /Qui non c’è nessun menù[\s\S]*There is no menu here/);
      }
      const { headers } = (await stranger.send('/api/v1/menu', { method: 'POST' })).expect(404);
      assert.match(headers['content-type'] ?? '', /^text\/html/);
    }
  });
});

test('every application answer is the JSON envelope', async () => {
  const paths = [...ALL_READS, '/items/0', '/nothing', '/items?type_id=x'];
  for (const path of paths) {
    const { status, json, headers } = await client.get(path);
    assert.match(headers['content-type'] ?? '', /^application\/json; charset=utf-8$/);
    const keys = Object.keys(json);
    if (status === 200) assert.deepEqual(keys, ['success', 'data', 'meta']);
    else assert.equal(json.success, false);
  }
});
