// The end of being sold out, with every process killed before the moment comes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdminClient, issueToken } from '../support/admin.ts';
import { createClient } from '../support/http.ts';
import { ownDatabase } from '../support/own-database.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { startForTest } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const HOST = 'osteria.localhost';
const PROGRAMS = ['gateway/main.ts', 'gateway/main.ts', 'workers/main.ts', 'workers/main.ts'];

const database = await ownDatabase();
const { db } = database;

test('a dish is available again when all processes were killed before its moment', async (t) => {
  const tenantId = await plant(
    db,
    restaurantOf('osteria', [sectionOf('S', [dishOf('Uno'), dishOf('Due')])]),
  );
  const token = await issueToken(db, tenantId, ['availability:write']);
  const start = () => Promise.all(PROGRAMS.map((file) => startForTest(t, file, database.url)));
  const clientsOf = (services: Awaited<ReturnType<typeof start>>) =>
    services.slice(0, 2).map(({ port }) => createClient(port, HOST));

  const first = await start();
  const [client] = clientsOf(first);
  assert.ok(client);
  const [one, other] = (await client.get('/items')).json.data;
  const admin = createAdminClient(client, token);
  const soldOut = { sold_out_until: '2199-05-04T18:00:00Z' };
  assert.equal((await admin.call('PATCH', `/items/${one.id}`, soldOut)).status, 200);
  const forGood = { sold_out_until: 'indefinitely' };
  assert.equal((await admin.call('PATCH', `/items/${other.id}`, forGood)).status, 200);
  await Promise.all(first.map(({ program }) => program.kill()));
  const version = async () => (await database.sql('select version from tenants'))[0].version;
  const before = await version();
  await database.sql('update dishes set sold_out_until = now() where id = $1', [one.id]);

  for (const again of clientsOf(await start())) {
    await until('the dish stays sold out', async () => {
      return !(await again.get(`/items/${one.id}`)).json.data.is_sold_out;
    });
    assert.equal((await again.get(`/items/${other.id}`)).json.data.is_sold_out, true);
  }
  assert.equal(await version(), before + 1);
});
