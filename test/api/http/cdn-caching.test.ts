// PUBLIC_CACHE_SECONDS: what caches before the gateways are told, and that nothing of a client is kept.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { testGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const service = await adminService({ alone: true });
const cached = await testGateway(service.databaseUrl, { PUBLIC_CACHE_SECONDS: '30' });
const client = cached.client('osteria');
const tag = `lavagna-${service.tenantId}`;
const lasting = 'public, max-age=30, stale-if-error=3600';
const limitNames = (headers: object) =>
  Object.keys(headers).filter((name) => name.startsWith('x-ratelimit') || name === 'retry-after');

test('without PUBLIC_CACHE_SECONDS answers have no header for caches', async () => {
  for (const path of ['/', '/api/v1/menu', '/api/v1/items?per_page=2']) {
    const { headers } = await service.client.send(path);
    const names = ['cdn-cache-control', 'cache-tag', 'surrogate-key'];
    assert.ok(!names.some((name) => name in headers), path);
  }
});

test('public answers name how long they last and their restaurant, and no client’s limit', async () => {
  const paths = ['/api/v1/menu', '/api/v1/menu', '/api/v1/items?per_page=2', '/api/v1/categories'];
  for (const path of [...paths, '/api/v1/restaurant', '/api/v1/theme']) {
    const { status, headers, body } = await client.send(path);
    assert.equal(status, 200, path);
    assert.equal(headers['cdn-cache-control'], lasting, path);
    assert.deepEqual([headers['cache-tag'], headers['surrogate-key']], [tag, tag]);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.deepEqual(limitNames(headers), [], path);
    assert.ok(headers['x-request-id']);
    const same = await client.send(path, { headers: { 'If-None-Match': headers.etag ?? '' } });
    assert.deepEqual([same.status, same.headers['cdn-cache-control']], [304, lasting]);
    assert.deepEqual(limitNames(same.headers), []);
    const plain = await service.client.send(path);
    assert.deepEqual(body, plain.body, path);
  }
  const page = await client.send('/?lang=it');
  assert.deepEqual([page.headers['cdn-cache-control'], page.headers['cache-tag']], [lasting, tag]);
});

test('errors, walls, owners’ pages and guarded answers are for no cache', async () => {
  const admin = { headers: { Authorization: `Bearer ${service.token}` } };
  for (const [path, options] of [
    ['/api/v1/items/999999', {}],
    ['/api/v1/nothing', {}],
    ['/?screen=1', {}],
    ['/admin/sign-in', {}],
    ['/screen', {}],
    ['/api/v1/admin/items', admin],
  ] as const) {
    assert.equal('cdn-cache-control' in (await client.send(path, options)).headers, false, path);
  }
  const missing = await client.send('/api/v1/items/999999');
  assert.ok(limitNames(missing.headers).length > 0);
  assert.equal(missing.headers['access-control-allow-origin'], '*');
});

test('a refused request says when to come again, and no cache keeps that', async () => {
  const strict = await testGateway(service.databaseUrl, {
    ...{ PUBLIC_CACHE_SECONDS: '30', LIMIT_PUBLIC: '2' },
  });
  const guest = strict.client('osteria');
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push(await guest.get('/menu'));
  const refused = statuses.find(({ status }) => status === 429);
  assert.ok(refused?.headers['retry-after']);
  assert.equal(refused.headers['cache-control'], 'no-store');
});

/** A cache that notes what it is asked to purge; it answers with the statuses that are given to it. */
async function startCache() {
  const asked: { tags: string[]; keys: unknown; secret: unknown }[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => {
      const status = statuses.shift() ?? 204;
      const { authorization: secret, 'surrogate-key': keys } = request.headers;
      if (status === 204) asked.push({ ...JSON.parse(text), keys, secret });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, statuses, url: `http://127.0.0.1:${port}/.purge`, stop: () => server.close() };
}

test('a worker purges a restaurant at each version, twice, also after the cache was away', async () => {
  const cache = await startCache();
  cache.statuses.push(503, 500);
  const worker = await startTestWorker(
    service.databaseUrl,
    { PURGE_URL: cache.url, PURGE_HEADER: 'Authorization: Bearer x' },
    { webhookRetrySeconds: 1, purgeInterval: 100, purgeAgainAfter: 200 },
  );
  try {
    const { id } = (await service.admin.get('/items')).json.data[0];
    (await service.admin.call('PATCH', `/items/${id}`, { price: 9 })).expect(200);
    await until('it is not purged twice', async () => cache.asked.length >= 2);
    assert.deepEqual(cache.asked[0], { tags: [tag], keys: tag, secret: 'Bearer x' });
    const [row] = await service.sql('select failures from purges');
    assert.equal(row.failures, 0);
    // A second version is another purge.
    const count = cache.asked.length;
    await service.admin.call('PATCH', `/items/${id}`, { price: 8 });
    await until('it is not purged again', async () => cache.asked.length >= count + 2);
  } finally {
    await worker.stop();
    cache.stop();
  }
});

test('a change while no worker ran is purged when one starts', async () => {
  const cache = await startCache();
  await service.worker.stop();
  assert.equal((await service.sql('select purged_until from purges')).length, 1);
  await service.sql("update purges set purged_until = now() - interval '1 hour'");
  service.worker = await startTestWorker(service.databaseUrl, { PURGE_URL: cache.url });
  await until('it is not purged', async () => cache.asked.length > 0);
  assert.deepEqual(cache.asked[0]?.tags, [tag]);
  cache.stop();
});
