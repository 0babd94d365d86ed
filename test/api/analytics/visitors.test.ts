import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { type Constants, constants } from '../../../db/runtime/constants.ts';
import { queues } from '../../../db/schema/queues.ts';
import { forgetSalts } from '../../../db/sql/retention.ts';
import { createVisitors, hashVisitor } from '../../../gateway/analytics/visitors.ts';
import { startTestGateway } from '../../support/gateway.ts';
import type { Client } from '../../support/http.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { plant } from '../../support/restaurant.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-05-10T12:00:00Z');

const database = await ownDatabase();
const { db } = database;

const tenantId = await plant(db, trattoria);
const otherTenantId = await plant(db, { ...trattoria, slug: 'altra' });

// No midnight comes in a test: it would bring another salt.
beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }));
afterEach(() => mock.timers.reset());

async function hash(now: number, day: string, tenant = tenantId, identity = 'x') {
  const salts = await createVisitors(db, () => now, constants).salts(tenant, [day]);
  return hashVisitor(salts.get(day) as Buffer, identity);
}

test('all gateways know a visitor by the same hash, in one restaurant, on one day', async () => {
  const day = '2026-05-10';
  const hashes = await Promise.all(Array.from({ length: 5 }, () => hash(NOON, day)));
  assert.equal(new Set(hashes).size, 1);
  assert.notEqual(await hash(NOON, day, tenantId, 'y'), hashes[0]);
  assert.notEqual(await hash(NOON, day, otherTenantId), hashes[0]);
  assert.notEqual(await hash(NOON, '2026-05-11'), hashes[0]);
});

test('a salt outlives its day for a while, and is then forgotten for good', async () => {
  const day = '2026-05-10';
  const visitors = createVisitors(db, () => now, constants);
  let now = NOON;
  const original = hashVisitor((await visitors.salts(tenantId, [day])).get(day) as Buffer, 'x');
  for (now of [NOON + 12 * HOUR, NOON + 35 * HOUR]) {
    await forgetSalts(db, now);
    const late = hashVisitor((await visitors.salts(tenantId, [day])).get(day) as Buffer, 'x');
    assert.equal(late, original);
  }
  now = NOON + 60 * HOUR;
  assert.ok((await forgetSalts(db, now)) > 0);
  const left = await database.sql('select day from analytics_salts where day <= $1', [day]);
  assert.deepEqual(left, []);
  // The gateway that still held it does not use it any more either.
  const later = hashVisitor((await visitors.salts(tenantId, [day])).get(day) as Buffer, 'x');
  assert.notEqual(later, original);
});

test('events that arrive late share a salt for a day', async () => {
  const day = '2026-05-01';
  const first = await hash(NOON, day);
  assert.equal(await forgetSalts(db, NOON + 23 * HOUR), 0);
  assert.equal(await hash(NOON + 23 * HOUR, day), first);
  assert.ok((await forgetSalts(db, NOON + 25 * HOUR)) > 0);
  assert.notEqual(await hash(NOON + 25 * HOUR, day), first);
});

/** The different visitors of all events that a gateway puts into its queue for `work`. */
async function visitorsOf(
  changed: Partial<Constants>,
  work: (client: Client) => Promise<void>,
): Promise<number> {
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  const gateway = await startTestGateway(database.url, env, changed);
  await work(gateway.client('trattoria'));
  await gateway.stop();
  const rows = await database.sql`
    delete from pgboss.job where name = ${queues.analyticsEvents} returning data`;
  return new Set(rows.flatMap(({ data }) => data.visitor)).size;
}

const guests = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, guest) => {
    return { type: 'menu_view', visitor_id: `guest ${guest}`, ...fields };
  });

async function sendFrom(client: Client, address: string, events: readonly object[]): Promise<void> {
  (await client.sendEvents(events, { 'X-Forwarded-For': address })).expect(202);
}

test('hundreds of phones behind one address are as many visitors', async () => {
  assert.equal(await visitorsOf({}, (client) => sendFrom(client, '192.0.2.1', guests(400))), 400);
});

test('an address is a bounded number of visitors, whatever ids, agents and days it claims', async () => {
  const counted = await visitorsOf({ maxVisitorsPerClient: 10 }, async (client) => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    await sendFrom(client, '192.0.2.1', guests(300));
    await sendFrom(client, '192.0.2.1', guests(300, { occurred_at: yesterday }));
    for (const agent of ['one', 'two', 'three']) {
      const headers = { 'X-Forwarded-For': '192.0.2.1', 'User-Agent': agent };
      await client.sendEvents({ type: 'menu_view' }, headers);
    }
  });
  // Ten, and on each of two days all others together.
  assert.equal(counted, 12);
});

test('the visitors of an address do not keep those of another one out', async () => {
  const counted = await visitorsOf({ maxVisitorsPerClient: 10 }, async (client) => {
    await sendFrom(client, '192.0.2.1', guests(50));
    const others = guests(8).map((event) => ({ ...event, visitor_id: `${event.visitor_id}, too` }));
    await sendFrom(client, '192.0.2.2', others);
  });
  assert.equal(counted, 11 + 8);
});

test('without an id of its own a visitor is an address and a user agent, kept nowhere', async () => {
  const gateway = await startTestGateway(database.url);
  const client = gateway.client('trattoria');
  const post = (agent: string, event: object = {}) =>
    client.sendEvents({ type: 'menu_view', ...event }, { 'User-Agent': agent });
  for (const agent of ['Tablet 7', 'Tablet 7', 'Phone']) await post(agent);
  await post('Phone', { visitor_id: 'guest' });
  await post('Tablet 7', { visitor_id: 'guest' });
  await gateway.stop();
  const rows = await database.sql`
    select data from pgboss.job where name = ${queues.analyticsEvents} order by created_on, id`;
  const visitors = rows.flatMap(({ data }) => data.visitor);
  assert.equal(visitors.length, 5);
  assert.equal(new Set(visitors).size, 3);
  assert.ok(!/Tablet|Phone|guest|127\.0\.0\.1|::1/.test(JSON.stringify(rows)));
});
