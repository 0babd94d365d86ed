// Metrics: counted over real HTTP, and nothing about who asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gauge, Registry } from 'prom-client';
import { freePort } from '../../../bench/processes/free-port.ts';
import { startOpsServer } from '../../../db/runtime/ops-server.ts';
import { queues } from '../../../db/schema/queues.ts';
import { adminService, smallRestaurant } from '../../support/admin.ts';
import { createTestDatabase } from '../../support/database.ts';
import { startTestGateway, testGateway } from '../../support/gateway.ts';
import { openSocket } from '../../support/raw-socket.ts';
import { openDatabase, plant } from '../../support/restaurant.ts';
import { scrape } from '../../support/scrape.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

/** The oldest menu's time is told to the second. */
const startedAt = Math.floor(Date.now() / 1_000) * 1_000;

const service = await adminService({ alone: true });

const requests = (route: string, status: number, method = 'GET') =>
  `lavagna_http_requests_total method="${method}" route="${route}" status="${status}"`;

test('requests are counted by route, method and status', async () => {
  const { client, admin, gateway } = service;
  const etag = (await client.get('/menu')).headers.etag ?? '';
  await client.get('/menu/de');
  await client.get('/menu', { 'If-None-Match': etag });
  await client.send('/api/v1/menu', { method: 'HEAD' });
  await client.send('/api/v1/menu', { method: 'PATCH' });
  await client.send('/api/v1/menu', { method: 'PURGE' });
  await client.get('/items/1');
  await client.get('/items/999999');
  await client.get('/nothing/of/this/name');
  await client.send('/admin/api-tokens');
  await gateway.client('nessuno').get('/menu');
  const section = (await client.get('/categories')).json.data[0].id;
  (await admin.call('POST', '/items', { category_id: section, name: { it: 'Alici' } })).expect(201);
  await client.send('/api/v1/admin/items');

  const samples = await scrape(gateway.opsPort);
  const menu = '/api/v1/menu/:locale?';
  assert.equal(samples.get(requests(menu, 200)), 2);
  const once: Parameters<typeof requests>[] = [
    [menu, 304],
    [menu, 200, 'HEAD'],
    [menu, 405, 'PATCH'],
    [menu, 405, 'OTHER'],
    ['/api/v1/items/:id', 200],
    ['/api/v1/items/:id', 404],
    ['unknown path', 404],
    ['unknown host', 404],
    ['/admin/api-tokens', 303],
    ['/api/v1/admin/items', 201, 'POST'],
    ['/api/v1/admin/items', 401],
  ];
  for (const one of once) assert.equal(samples.get(requests(...one)), 1, String(one));
});

test('the first answer 500 is an increase', async () => {
  const { admin, gateway } = service;
  const errors = async () => (await scrape(gateway.opsPort)).get('lavagna_server_errors_total');
  assert.equal(await errors(), 0);
  const section = { name: { it: 'Contorni' } };
  const create = () => admin.call('POST', '/categories', section, { 'Idempotency-Key': 'once' });
  assert.equal((await create()).status, 201);
  await service.sql`update writes set outcome = '{"kind":"failed"}' where idempotency_key = 'once'`;
  assert.equal((await create()).status, 500);
  assert.equal(await errors(), 1);
  // Postgres is there and refuses a statement of ours: to come again would not help.
  await service.sql('alter table analytics_counts rename to mislaid');
  assert.equal((await admin.get('/analytics/overview')).status, 500);
  await service.sql('alter table mislaid rename to analytics_counts');
  assert.equal(await errors(), 2);
});

test('a request that can be read in two ways is counted, though nothing else is done for it', async () => {
  const { socket, closed } = await openSocket(service.gateway.port);
  const doubled = 'Content-Length: 2\r\nContent-Length: 3\r\n';
  socket.write(`POST /api/v1/menu HTTP/1.1\r\nHost: osteria.localhost\r\n${doubled}\r\n{}`);
  assert.match(await closed, /^HTTP\/1.1 400/);
  assert.equal((await scrape(service.gateway.opsPort)).get(requests('ambiguous', 400, 'POST')), 1);
});

test('durations are a histogram whose buckets contain one another', async () => {
  const samples = await scrape(service.gateway.opsPort);
  const name = 'lavagna_http_request_duration_seconds';
  const route = 'route="/api/v1/menu/:locale?"';
  const counts = new Map<number, number>();
  for (const [sample, value] of samples) {
    const [, bound] = sample.endsWith(route) ? (/_bucket le="(\S+)"/.exec(sample) ?? []) : [];
    if (bound !== undefined) counts.set(Number(bound.replace('+Inf', 'Infinity')), value);
  }
  const buckets = [...counts].toSorted(([a], [b]) => a - b);
  assert.ok(buckets.length > 10);
  const count = samples.get(`${name}_count ${route}`);
  assert.equal(count, 6);
  assert.equal(counts.get(Number.POSITIVE_INFINITY), count);
  // Each duration lies between its bucket's bound and the one before, in seconds as they are.
  let [least, most, lower, below] = [0, 0, 0, 0];
  for (const [upper, within] of buckets) {
    assert.ok(within >= below);
    if (within > below) {
      least += (within - below) * lower;
      most += (within - below) * upper;
    }
    [lower, below] = [upper, within];
  }
  const sum = samples.get(`${name}_sum ${route}`) ?? 0;
  assert.ok(sum > least && sum <= most, `${sum} s of ${least} to ${most}`);
});

test('snapshots in memory, their hits and misses, and the oldest', async () => {
  const samples = await scrape(service.gateway.opsPort);
  const value = (name: string) => samples.get(name) ?? Number.NaN;
  assert.ok(value('lavagna_snapshots') >= 1);
  assert.ok(value('lavagna_snapshot_cache_bytes') > 0);
  assert.ok(value('lavagna_snapshot_cache_bytes') < value('lavagna_snapshot_cache_max_bytes'));
  assert.ok(value('lavagna_snapshot_hits_total') >= 8);
  assert.ok(value('lavagna_snapshot_misses_total') >= 2);
  assert.equal(value('lavagna_snapshot_evictions_total'), 0);
  const builtAt = value('lavagna_snapshot_oldest_build_timestamp_seconds') * 1_000;
  assert.ok(builtAt <= Date.now() && builtAt >= startedAt);
  assert.equal(value('lavagna_listening'), 1);
  assert.ok(samples.has('nodejs_eventloop_lag_p99_seconds'));
});

test('refusals by limiter', async () => {
  const gateway = await testGateway(service.databaseUrl, { LIMIT_ANALYTICS: '2' });
  const client = gateway.client(smallRestaurant.slug);
  for (let i = 0; i < 5; i += 1) {
    await client.send('/api/v1/analytics/events', { method: 'POST' });
  }
  const samples = await scrape(gateway.opsPort);
  assert.equal(samples.get(requests('/api/v1/analytics/events', 429, 'POST')), 3);
  assert.equal(samples.get('lavagna_limit_refusals_total limiter="analytics"'), 3);
  assert.equal(samples.get('lavagna_limit_refusals_total limiter="admin"'), 0);
});

test('queues: what waits and for how long, the writes given up, and the events that arrived', async () => {
  const database = await createTestDatabase();
  const db = await openDatabase(database.url);
  await plant(db, smallRestaurant);
  await database.sql(`insert into writes (tenant_id, id, token_id, resource, action, input, request_hash,
      finished_at, outcome)
    select id, gen_random_uuid(), 1, 'items', 'update', '{}', '', now() - age,
      json_build_object('kind', kind)
    from tenants, (values (interval '1 hour', 'failed'), ('1 hour', 'missing'), ('2 days', 'failed'))
      as finished (age, kind)`);
  // A change that stays due, whatever the clock does.
  await database.sql(`update tenants set next_change_at = now() - interval '90 seconds'`);
  await database.sql('create rule stays as on update to tenants do instead nothing');
  const gateway = await startTestGateway(database.url);
  const client = gateway.client(smallRestaurant.slug);
  const send = (visitor: string) =>
    client.sendEvents([1, 2, 3].map(() => ({ type: 'menu_view', visitor_id: visitor })));
  assert.equal((await send('table 1')).status, 202);
  const accepted = await scrape(gateway.opsPort);
  assert.equal(accepted.get('lavagna_events_accepted_total'), 3);
  assert.equal(accepted.get('lavagna_pending_events'), 0);

  const opsPort = await freePort();
  const worker = await startTestWorker(database.url, { OPS_PORT: String(opsPort) });
  const queue = `queue="${queues.analyticsEvents}"`;
  await until('the queue did not become empty', async () => {
    const samples = await scrape(opsPort);
    assert.ok(samples.has(`lavagna_queue_oldest_job_seconds ${queue}`));
    assert.ok(samples.has('nodejs_eventloop_lag_p99_seconds'));
    assert.equal(samples.get('lavagna_faulty_writes'), 1);
    assert.ok((samples.get('lavagna_clock_late_seconds') ?? 0) >= 90);
    return samples.get(`lavagna_queue_jobs ${queue}`) === 0;
  });
  await gateway.stop();
  await worker.stop();
  await db.end();
  await database.drop();
});

test('no label names a tenant, a host or an address', async () => {
  const page = await (await fetch(`http://127.0.0.1:${service.gateway.opsPort}/metrics`)).text();
  assert.doesNotMatch(page, /osteria|nessuno|localhost|127\.0\.0\.1|::1/);
});

test('a name that ends in _total is of a counter', async () => {
  const page = await (await fetch(`http://127.0.0.1:${service.gateway.opsPort}/metrics`)).text();
  assert.match(page, /^# TYPE \S+_total counter$/m);
  assert.doesNotMatch(page, /^# TYPE \S+_total (?!counter)/m);
});

test('a figure that cannot be had is a 500, and the process goes on', async () => {
  const metrics = new Registry();
  const collect = () => {
    throw new Error('no such figure');
  };
  new Gauge({ name: 'broken', help: 'Throws.', registers: [metrics], collect });
  const port = await freePort();
  const ops = await startOpsServer({ port, metrics: async () => metrics, unready: () => null });
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.equal(response.status, 500);
  assert.match(await response.text(), /no such figure/);
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
  await ops.stop();
});
