// The limits of SPEC, "Limits", as clients meet them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { testGateway } from '../../support/gateway.ts';
import type { Client, Response } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { openSocket, readAnswers } from '../../support/raw-socket.ts';
import { until } from '../../support/until.ts';

const LIMITS = {
  ...{ LIMIT_PUBLIC: '120', LIMIT_ADMIN: '30', LIMIT_ANALYTICS: '300' },
  TRUSTED_PROXIES: '127.0.0.0/8',
};
/** The part of a client that sends a client's address. */
type Api = Pick<Client, 'get' | 'send'>;
const service = await menuService([trattoria, pizzeria], { env: LIMITS });
const { gateway } = service;

/** A client that has not been seen before, as the proxy in front of the gateway reports it. */
let lastClient = 0;
function newClient(slug = 'trattoria') {
  lastClient += 1;
  const address = `198.51.${lastClient >> 8}.${lastClient & 255}`;
  return { address, api: clientAt(address, slug) };
}

function clientAt(address: string, slug = 'trattoria'): Api {
  const direct = gateway.client(slug);
  const from = { 'X-Forwarded-For': address };
  return {
    get: (path, headers) => direct.get(path, { ...headers, ...from }),
    send: (path, options = {}) =>
      direct.send(path, { ...options, headers: { ...options.headers, ...from } }),
  };
}

const limitOf = ({ headers }: Response) => headers['x-ratelimit-limit'];
const remainingOf = ({ headers }: Response) => Number(headers['x-ratelimit-remaining']);

test('of 200 requests at once exactly 120 pass, each with a count of its own', async () => {
  const { api } = newClient();
  const responses = await Promise.all(Array.from({ length: 200 }, () => api.get('/theme')));
  const passed = responses.filter(({ status }) => status === 200);
  const refused = responses.filter(({ status }) => status === 429);
  assert.deepEqual([passed.length, refused.length], [120, 80]);
  const downwards = passed.map(remainingOf).sort((a, b) => b - a);
  const wanted = Array.from({ length: 120 }, (_, i) => 119 - i);
  assert.deepEqual(downwards, wanted);
});

test('one after the other, the count falls by one and then the client is refused', async () => {
  const { api } = newClient();
  for (let left = 119; left >= 0; left -= 1) {
    const response = (await api.get('/allergens')).expect(200);
    assert.deepEqual([limitOf(response), remainingOf(response)], ['120', left]);
  }
  const before = Math.floor(Date.now() / 1_000);
  const refused = (await api.get('/allergens')).expect(429);
  assert.deepEqual(refused.json, { success: false, message: 'Too Many Attempts.' });
  assert.deepEqual([limitOf(refused), refused.headers['x-ratelimit-remaining']], ['120', '0']);
  assert.equal(refused.headers['access-control-allow-origin'], '*');
  const retryAfter = Number(refused.headers['retry-after']);
  const reset = Number(refused.headers['x-ratelimit-reset']);
  assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60);
  const after = Math.ceil(Date.now() / 1_000);
  assert.ok(Number.isInteger(reset));
  assert.ok(reset - retryAfter >= before - 1 && reset - retryAfter <= after + 1);
});

test('the short way of hot reads and the general way answer alike and count as one', async () => {
  const { api } = newClient();
  const lasting = ({ status, headers, body }: Response) => {
    const { date: _date, 'x-ratelimit-remaining': _left, 'x-request-id': id, ...others } = headers;
    assert.match(String(id), /^[\w-]+$/);
    return { status, headers: others, body };
  };
  for (const path of ['/menu', '/menu/de', '/menu/xx', '/restaurant', '/theme', '/categories']) {
    const { etag = '' } = (await api.get(path)).headers;
    for (const conditions of [{}, { 'If-None-Match': etag }, { 'Accept-Encoding': 'gzip' }]) {
      const short = await api.get(path, conditions);
      // A trailing slash is tolerated, but not known to the HTTP library.
      const general = await api.get(`${path}/`, conditions);
      assert.deepEqual(lasting(general), lasting(short), path);
      assert.equal(remainingOf(general), remainingOf(short) - 1);
    }
  }
});

test('the last request of a limit passes on the short way and on the general one', async () => {
  // Near such a limit a gateway need not ask Postgres.
  const strict = await testGateway(service.databaseUrl, { ...LIMITS, LIMIT_PUBLIC: '2' });
  for (const path of ['/theme', '/theme/']) {
    const from = { 'X-Forwarded-For': newClient().address };
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      statuses.push((await strict.client('trattoria').get(path, from)).status);
    }
    assert.deepEqual(statuses, [200, 200, 429], path);
  }
});

test('tenants and limiters do not share counters, and neither do clients', async () => {
  const { address, api } = newClient();
  await api.get('/theme');
  assert.equal(remainingOf(await api.get('/theme')), 118);
  assert.equal(remainingOf(await clientAt(address, 'pizzeria').get('/theme')), 119);
  assert.equal(remainingOf(await newClient().api.get('/theme')), 119);
  const admin = await api.get('/admin/nothing');
  assert.deepEqual([limitOf(admin), remainingOf(admin)], ['30', 29]);
  const events = await api.send('/api/v1/analytics/nothing', { method: 'POST' });
  assert.deepEqual([limitOf(events), remainingOf(events)], ['300', 299]);
});

/** Asks once from each of many addresses, at once; how many answers were not 429. */
async function admittedOf(
  count: number,
  addressOf: (index: number) => string,
  ask: (api: Api) => Promise<Response>,
): Promise<number> {
  const asked = Array.from({ length: count }, (_, index) => ask(clientAt(addressOf(index))));
  return (await Promise.all(asked)).filter(({ status }) => status !== 429).length;
}

const limiters: [path: string, method: 'GET' | 'POST', limit: number][] = [
  ['/api/v1/theme', 'GET', 120],
  ['/api/v1/admin/nothing', 'GET', 30],
  ['/api/v1/analytics/nothing', 'POST', 300],
];
for (const [path, method, limit] of limiters) {
  test(`${path}: all addresses of one IPv6 /64 share one count of ${limit}`, async () => {
    const count = limit + 50;
    const ask = (api: Api) => api.send(path, { method });
    const inOneNetwork = (index: number) => `2001:db8:77:1:${index.toString(16)}:a:b:c`;
    assert.equal(await admittedOf(count, inOneNetwork, ask), limit);
    const neighbour = await ask(clientAt('2001:db8:77:2::1'));
    assert.equal(remainingOf(neighbour), limit - 1, 'the next /64 has a count of its own');
  });
}

test('an IPv4 address shares its count with its IPv6-mapped form', async () => {
  const { address, api } = newClient();
  assert.equal(remainingOf(await api.get('/theme')), 119);
  assert.equal(remainingOf(await clientAt(`::ffff:${address}`).get('/theme')), 118);
  const mappedOf = (index: number) => `::ffff:203.0.113.${index}`;
  const each = await admittedOf(200, mappedOf, (client) => client.get('/theme'));
  assert.equal(each, 200, 'each IPv4 address has a count of its own');
});

test('every response carries the count, whatever its status', async () => {
  const { api } = newClient();
  const etag = (await api.get('/menu')).headers.etag ?? '';
  const asked: [status: number, response: Response][] = [
    [304, await api.get('/menu', { 'If-None-Match': etag })],
    [404, await api.get('/items/999999999')],
    [404, await api.get('/nothing')],
    [405, await api.send('/api/v1/menu', { method: 'DELETE' })],
    [200, await api.send('/api/v1/menu', { method: 'HEAD' })],
    [200, await api.get('/menu/xx')],
  ];
  // A preflight costs nothing: its answer shows what is left.
  const preflight = await api.send('/api/v1/menu', { method: 'OPTIONS' });
  const told = [preflight.status, limitOf(preflight), remainingOf(preflight)];
  assert.deepEqual(told, [204, '120', 119 - asked.length]);
  asked.push([200, await api.get('/theme')]);
  for (const [i, [status, response]] of asked.entries()) {
    const shown = [response.status, limitOf(response), remainingOf(response)];
    assert.deepEqual(shown, [status, '120', 118 - i]);
  }
});

test('a proxy may add a line of its own below the client’s: both say who it is', async () => {
  const { address } = newClient();
  const remainingBehind = async (...hops: string[]) => {
    const raw = await openSocket(gateway.port);
    const lines = hops.map((hop) => `X-Forwarded-For: ${hop}\r\n`).join('');
    raw.socket.write(`GET /api/v1/theme HTTP/1.1\r\nHost: trattoria.localhost\r\n${lines}\r\n`);
    const received = await raw.until((text) => readAnswers(text).length > 0);
    raw.socket.destroy();
    return Number(/^x-ratelimit-remaining: (\d+)/im.exec(received)?.[1]);
  };
  assert.equal(await remainingBehind(address, '127.0.0.2'), 119);
  assert.equal(await remainingBehind('203.0.113.1', address), 118);
});

test('a refused request is not counted and does not make the window longer', async () => {
  const { address, api } = newClient();
  await Promise.all(Array.from({ length: 130 }, () => api.get('/theme')));
  const windows = () =>
    service.sql('select count, ends_at from limit_windows where client = $1', [address]);
  const [first] = await windows();
  assert.equal(first.count, 120);
  for (let i = 0; i < 20; i += 1) assert.equal((await api.get('/theme')).status, 429);
  assert.deepEqual((await windows())[0], first);
});

test('a window that has ended is cleared from the table', async () => {
  await service.sql(`insert into limit_windows values (1, 'public', '192.0.2.1', now() - interval '1 minute', 7),
       (1, 'public', '192.0.2.2', now() + interval '1 hour', 7)`);
  const stored = `select from limit_windows where client = '192.0.2.1'`;
  await until('the window stays', async () => (await service.sql(stored)).length === 0);
  const left = await service.sql(`select from limit_windows where client = '192.0.2.2'`);
  assert.equal(left.length, 1, 'one that has not ended goes on');
});
