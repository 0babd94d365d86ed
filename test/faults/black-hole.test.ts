// A gateway whose Postgres is behind a network that swallows everything and says nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { adminService, createAdminClient } from '../support/admin.ts';
import { databaseLink } from '../support/database-link.ts';
import { testGateway } from '../support/gateway.ts';
import { plant, restaurantOf } from '../support/restaurant.ts';
import { until, untilStatus } from '../support/until.ts';

/** Restaurants that no gateway has in memory: one for each way in which Postgres goes. */
const COLD = ['fredda', 'gelida'];
const JOB = '/jobs/018f0000-0000-7000-8000-000000000000';

const service = await adminService();
for (const slug of COLD) await plant(service.db, restaurantOf(slug, []));
const link = await databaseLink(service.databaseUrl);
const gateway = await testGateway(link.url, {}, constants);

/** Resolves when the gateway has the menu in memory. */
const untilInMemory = () =>
  untilStatus('the menu cannot be read', 200, () => gateway.client('osteria').get('/menu'));

/** Asks for everything that needs Postgres, all at once: more than there are connections. */
async function assertUnavailable(coldSlug: string): Promise<void> {
  const client = gateway.client('osteria');
  const cold = gateway.client(coldSlug);
  const admin = createAdminClient(client, service.token);
  const asked = [
    ...['/menu', '/menu/de', '/items', '/theme'].map((path) => cold.get(path)),
    ...['/items', '/wineries', '/analytics/overview', JOB].map((path) => admin.get(path)),
    ...[1, 2, 3, 4].map((price) => admin.call('PATCH', '/items/1', { price })),
    client.sendEvents({ type: 'menu_view' }),
  ];
  for (const { status, headers } of await Promise.all(asked)) {
    assert.equal(status, 503);
    assert.ok(headers['retry-after']);
  }
}

/** Changes a price through the gateway that has Postgres, and waits until the other shows it. */
async function assertFresh(price: number): Promise<void> {
  const client = gateway.client('osteria');
  (await service.admin.call('PATCH', '/items/1', { price })).expect(200);
  await until('the menu is stale', async () => {
    const { json } = await client.get('/items/1');
    return json.data.price === price;
  });
  await until('writes do not go through', async () => {
    const admin = createAdminClient(client, service.token);
    return (await admin.call('PATCH', '/items/1', { price: price + 1 })).status === 200;
  });
}

test('what is in memory is served, the rest is 503 soon, and the return is noticed', async () => {
  const client = gateway.client('osteria');
  await untilInMemory();
  for (const [index, swallow] of [link.freeze, link.cut].entries()) {
    swallow();
    const refusals: Promise<void>[] = [];
    for (let round = 0; round < 3; round += 1) {
      // Those of the next round find these ahead of them, and must not wait for them as well.
      refusals.push(assertUnavailable(COLD[index] ?? ''));
      assert.equal((await client.get('/menu')).status, 200);
      assert.equal((await client.get('/items/1')).status, 200);
    }
    // Postgres says nothing until the way is open again: an answer comes because a wait has ended.
    await Promise.all(refusals);
    const { status } = await service.admin.call('PATCH', '/items/1', { price: 77 });
    assert.equal(status, 200, 'others go on');
    link.thaw();
    await assertFresh(10);
  }
});

test('connections that have died without a word are replaced', async () => {
  await untilInMemory();
  await createAdminClient(gateway.client('osteria'), service.token).get('/items');
  link.lose();
  await assertFresh(20);
});
