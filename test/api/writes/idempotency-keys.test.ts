import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService, createAdminClient, issueToken } from '../../support/admin.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const service = await adminService({ alone: true });

const LATER = { Prefer: 'respond-async' };
const dish = (name: string) => ({ category_id: 1, name: { it: name } });
const { sql } = service;
const keyed = (key: string, body: unknown, more = {}, token = service.token) => {
  const headers = { 'Idempotency-Key': key, ...more };
  return createAdminClient(service.client, token).call('POST', '/items', body, headers);
};
const count = async (name: string) =>
  (await sql(`select count(*)::int as count from dishes where name->>'it' = $1`, [name]))[0].count;

test('the same request gives the first result again', async () => {
  const first = await keyed('chiave-1', dish('Una volta'));
  const again = await keyed('chiave-1', dish('Una volta'));
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.equal(again.text, first.text);
  assert.equal(await count('Una volta'), 1);
});

test('so do fifty at once, over two gateways', async () => {
  const other = await startTestGateway(service.databaseUrl);
  const second = createAdminClient(other.client('osteria'), service.token);
  const headers = { 'Idempotency-Key': 'chiave-2' };
  const send = async (admin: typeof second) => {
    let reply = await admin.call('POST', '/items', dish('Fra tanti'), headers);
    // On a busy machine some are told before the write is done, or that Postgres takes too long.
    const isOpen = () => reply.status === 202 || reply.status === 503;
    await until('the write is not done', async () => {
      if (isOpen()) reply = await admin.call('POST', '/items', dish('Fra tanti'), headers);
      return !isOpen();
    });
    return reply;
  };
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, i) => send(i % 2 ? second : service.admin)),
  );
  assert.deepEqual([...new Set(replies.map(({ text }) => text))].length, 1);
  assert.ok(replies.every(({ status }) => status === 201));
  assert.equal(await count('Fra tanti'), 1);
  await other.stop();
});

test('a result that is no success is given again too', async () => {
  const body = { ...dish('x'), winery_id: 999_999 };
  const [first, again] = [await keyed('chiave-3', body), await keyed('chiave-3', body)];
  assert.deepEqual([first.status, again.status], [422, 422]);
  assert.equal(again.text, first.text);
});

test('another request under the same key is refused', async () => {
  await keyed('chiave-4', dish('Prima'));
  (await keyed('chiave-4', dish('Seconda'))).refuses('idempotency_key');
  assert.equal(await count('Seconda'), 0);
});

test('another path, method or condition under the same key is another request', async () => {
  const body = { price: 5 };
  const change = (method: string, path: string, ifMatch: string) =>
    service.admin.call(method, path, body, { 'Idempotency-Key': 'chiave-9', 'If-Match': ifMatch });
  const first = (await change('PUT', '/items/1', '*')).expect(200);
  for (const [method, path, ifMatch] of [
    ['PUT', '/items/2', '*'],
    ['PUT', '/types/1', '*'],
    ['PATCH', '/items/1', '*'],
    ['PUT', '/items/1', first.headers.etag ?? ''],
  ] as const) {
    const other = await change(method, path, ifMatch);
    other.refuses('idempotency_key');
  }
  assert.equal((await change('PUT', '/items/1', '*')).text, first.text);
});

test('each token has keys of its own', async () => {
  const token = await issueToken(service.db, service.tenantId);
  const send = (own: string) => keyed('chiave-5', dish('Doppia'), {}, own);
  const [first, second] = [await send(service.token), await send(token)];
  assert.notEqual(second.json.data.id, first.json.data.id);
  assert.equal((await send(service.token)).text, first.text);
  assert.equal((await send(token)).text, second.text);
  assert.equal(await count('Doppia'), 2);
});

test('a key is free again after a day, and not before', async () => {
  const first = await keyed('chiave-6', dish('Ieri'));
  const age = (hours: number) =>
    sql`update writes set created_at = now() - make_interval(hours => ${hours})
       where idempotency_key = 'chiave-6'`;
  await age(23);
  assert.equal((await keyed('chiave-6', dish('Ieri'))).text, first.text);
  await age(25);
  assert.equal((await keyed('chiave-6', dish('Oggi'))).status, 201);
  assert.equal(await count('Oggi'), 1);
});

test('repeated with respond-async it gives the first result, if there is one', async () => {
  const first = await keyed('chiave-7', dish('Fatta'));
  const again = await keyed('chiave-7', dish('Fatta'), LATER);
  assert.deepEqual([again.status, again.headers['x-job-state']], [201, 'finished']);
  assert.equal(again.text, first.text);
});

test('repeated with respond-async while the first waits it gives the same job', async () => {
  await service.worker.stop();
  const send = () => keyed('chiave-8', dish('Attesa'), LATER);
  const [first, again] = [await send(), await send()];
  service.worker = await startTestWorker(service.databaseUrl);
  for (const { status, headers: told } of [first, again]) {
    assert.deepEqual([status, told['preference-applied']], [202, 'respond-async']);
  }
  assert.equal(again.headers.location, first.headers.location);
});

test('one that is too long, blank or no ASCII is refused, and nothing is done', async () => {
  // Characters outside ASCII at either end of a header are cut off before we see it.
  for (const text of ['x'.repeat(256), '', 'cassa è 1', 'è']) {
    const key = Buffer.from(text).toString('latin1');
    (await keyed(key, dish('Senza chiave'))).refuses('idempotency_key');
  }
  assert.equal(await count('Senza chiave'), 0);
});
