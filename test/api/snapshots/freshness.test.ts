// A changed snapshot reaches the gateways, over real connections that break.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { publishVersion } from '../../../db/menu/new-version.ts';
import { pizzeria } from '../../../db/operator/demo/restaurant.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { versionsChannel, writesChannel } from '../../../db/schema/notices.ts';
import { createPrimarySource, type SnapshotSource } from '../../../gateway/snapshots/source.ts';
import { createSnapshotStore } from '../../../gateway/snapshots/store.ts';
import { createGate } from '../../support/gate.ts';
import { type TestGateway, testGateway } from '../../support/gateway.ts';
import { createClient } from '../../support/http.ts';
import { testOrigin } from '../../support/media-origin.ts';
import { menuService } from '../../support/menu-service.ts';
import { until } from '../../support/until.ts';

const { databaseUrl, sql, db, tenantId, gateway } = await menuService([pizzeria], { alone: true });
const gateways = [gateway, await testGateway(databaseUrl)];

const readName = async (gateway: TestGateway, path = '/menu') =>
  (await gateway.client('pizzeria').get(path)).json.data.settings.name;

async function rename(name: string): Promise<void> {
  await sql('update settings set name = $1 where tenant_id = $2', [name, tenantId]);
  await db.transaction((tx) => publishVersion(tx, tenantId));
}

/** Polls as a display does until the gateway shows the name. */
async function untilShown(gateway: TestGateway, name: string, path = '/menu'): Promise<void> {
  await until(`${name} did not arrive`, async () => (await readName(gateway, path)) === name);
}

test('a change is seen on every gateway and in every locale', async () => {
  for (const gateway of gateways) {
    await readName(gateway, '/menu/it');
    await readName(gateway, '/menu/de');
  }
  await rename('Zum neuen Ofen');
  for (const gateway of gateways) {
    await untilShown(gateway, 'Zum neuen Ofen', '/menu/it');
    await untilShown(gateway, 'Zum neuen Ofen', '/menu/de');
  }
});

test('who asks when a change is shown is not shown what was before it in another language', async () => {
  const primary = createPrimarySource(db, constants);
  const { opened: released, open: release } = createGate();
  const source: SnapshotSource = {
    ...primary,
    find: async (slug, requested) => {
      const reading = await primary.find(slug, requested);
      if (requested === 'it') await released;
      return reading;
    },
  };
  const log = pino({ level: 'silent' });
  const options = { mediaOrigin: testOrigin, db, source, log, constants };
  const store = createSnapshotStore({ ...options, maxBytes: 64 * 1024 * 1024 });
  const slug = 'pizzeria';
  const before = await store.find(slug, null);
  const asked = [store.find(slug, 'it')];
  await rename('Neuer Ofen');
  const version = (before?.version ?? 0) + 1;
  store.onVersion({ tenant_id: tenantId, slug, version });
  await until('not shown', async () => store.held(slug, null)?.version === version);
  asked.push(store.find(slug, 'it'));
  release();
  for (const found of asked) assert.equal((await found)?.version, version);
  await store.stop();
});

test('a change alters the ETag, and what is joined on demand follows it', async () => {
  const [gateway] = gateways;
  const client = gateway?.client('pizzeria');
  const item = (await client?.get('/items'))?.json.data[0].id;
  const read = () => client?.get(`/items/${item}`);
  // An entry that is asked for again is kept.
  for (let asked = 0; asked < 2; asked += 1) await read();
  const before = await read();
  await sql('update dishes set price = 99.5 where tenant_id = $1', [tenantId]);
  await rename('Ofen 99');
  await untilShown(gateway as TestGateway, 'Ofen 99');
  const etag = before?.headers.etag ?? '';
  const after = await client?.get(`/items/${item}`, { 'If-None-Match': etag });
  assert.equal(after?.status, 200);
  assert.equal(after?.json.data.price, 99.5);
  assert.notEqual(after?.headers.etag, etag);
});

test('no change is missed over a broken LISTEN connection', async () => {
  for (let round = 1; round <= 3; round += 1) {
    for (const gateway of gateways) await readName(gateway);
    const cut = await sql`select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'lavagna listener'`;
    assert.equal(cut.length, gateways.length);
    // No gateway listens at this moment: the notice of this change is lost.
    await rename(`round ${round}`);
    for (const gateway of gateways) await untilShown(gateway, `round ${round}`);
    // The next round must find listeners to cut.
    await untilListening(gateways.length);
  }
});

async function untilListening(count: number): Promise<void> {
  await until('the gateways did not listen again', async () => {
    const [row] = await sql`select count(*)::int as listeners from pg_stat_activity
       where datname = current_database() and application_name = 'lavagna listener'`;
    return row?.listeners === count;
  });
}

test('a notice that cannot be read ends no gateway, and the next one works', async () => {
  for (const gateway of gateways) await readName(gateway);
  for (const channel of [versionsChannel, writesChannel]) {
    for (const payload of ['', 'x', '{"tenant_id":"one"}']) {
      await sql('select pg_notify($1, $2)', [channel, payload]);
    }
  }
  await rename('after the noise');
  for (const gateway of gateways) await untilShown(gateway, 'after the noise');
});

test('the operators’ port tells health, readiness and figures', async () => {
  const ops = createClient(gateways[0]?.opsPort ?? 0, 'localhost');
  assert.equal((await ops.send('/healthz')).status, 200);
  assert.equal((await ops.send('/readyz')).text, 'ready\n');
  const metrics = await ops.send('/metrics');
  metrics.shows(/^lavagna_snapshots [1-9]/m, /^lavagna_snapshot_cache_bytes [1-9]/m);
  assert.equal((await ops.send('/nothing')).status, 404);
});
