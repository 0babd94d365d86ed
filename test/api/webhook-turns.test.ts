// The turns of webhooks: how long receivers pause after failures, and which receivers wait for others.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createPgClient } from '../../db/postgres/pg-client.ts';
import { constants } from '../../db/runtime/constants.ts';
import { makeSecret } from '../../db/schema/webhook.ts';
import { takeWebhook } from '../../db/sql/webhook-turns.ts';
import { insertWebhook } from '../../db/sql/webhooks.ts';
import { sendTest } from '../../gateway/routes/restaurant/webhooks.ts';
import { createAdminClient, issueToken } from '../support/admin.ts';
import { afterFile } from '../support/for-file.ts';
import { menuService } from '../support/menu-service.ts';
import { receive } from '../support/receiver.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const osteria = restaurantOf('osteria', [sectionOf('Primi', [dishOf('Gnocchi')])]);
const SOON = { webhookInterval: 50, webhookTimeout: 60_000, webhookRetrySeconds: 1 };

const service = await menuService([osteria], { alone: true });

const startSending = (changed = {}) =>
  startTestWorker(service.databaseUrl, { WEBHOOKS_PRIVATE: '1' }, { ...SOON, ...changed });

let worker = await startSending();
afterFile(() => worker.stop());
const scopes = ['menu:read', 'menu:write', 'webhooks:write'] as const;
const token = await issueToken(service.db, service.tenantId, scopes);
const admin = createAdminClient(service.client, token);
const dish = (await admin.get('/items')).json.data[0].id;

async function create(t: TestContext, url: string) {
  const body = { url, events: ['menu.version'] };
  const { json } = (await admin.call('POST', '/webhooks', body)).expect(201);
  t.after(() => admin.call('DELETE', `/webhooks/${json.data.id}`));
  return json.data as { id: number };
}

const change = async (body: object) => {
  (await admin.call('PATCH', `/items/${dish}`, body)).expect(200);
};
/** Of a webhook that failed: the seconds between its last attempt and the next one. */
const pauseOf = async (id: number) => {
  const [row] = (await service.sql`select round(extract(epoch from next_try_at - (
       select max(attempted_at) from webhook_deliveries d where d.webhook_id = w.id
     )))::int4 as pause from webhooks w where id = ${id} and failures > 0`) as { pause: number }[];
  return row?.pause;
};
test('a webhook pauses as shortly for each message, when the one before was taken at last', async (t) => {
  const { url, messages } = await receive(t, (count) => (count % 2 === 1 ? 500 : 204));
  const { id } = await create(t, url);
  for (let message = 1; message <= 4; message += 1) {
    await change({ price: 31 + message });
    let pause: number | undefined;
    await until('it did not fail', async () => {
      pause = await pauseOf(id);
      return pause !== undefined;
    });
    assert.equal(pause, 1, `message ${message}`);
    await until('it was not sent again', () => messages.length === 2 * message);
  }
});

test('a webhook pauses for 15 minutes at most, and gets all that it missed when it answers again', async (t) => {
  let isUp = false;
  const { url, messages } = await receive(t, () => (isUp ? 204 : 503));
  const { id } = await create(t, url);
  for (let price = 36; price < 39; price += 1) await change({ price });
  await until('it did not fail', async () => (await pauseOf(id)) !== undefined);
  await service.sql('update webhooks set failures = 40, next_try_at = now() where id = $1', [id]);
  await until('it did not fail again', async () => Number(await pauseOf(id)) > 100);
  assert.equal(await pauseOf(id), 900);
  isUp = true;
  const sent = messages.length;
  await service.sql('update webhooks set next_try_at = now() where id = $1', [id]);
  await until('it was not told of all', () => messages.length === sent + 3);
});

test('a webhook is told of a version as soon as it is made, without a look', async (t) => {
  const { url, messages } = await receive(t);
  await create(t, url);
  await worker.stop();
  worker = await startSending({ webhookInterval: 3_600_000 });
  for (let price = 51; price < 54; price += 1) await change({ price });
  await until('it waits for a look', () => messages.length === 3);
  await worker.stop();
  worker = await startSending();
});

test('a webhook has one worker at a time, also for one whose transaction is older', async (t) => {
  await worker.stop();
  const { id } = await create(t, 'http://127.0.0.1:9/hook');
  await service.sql('update webhooks set next_try_at = now() where id = $1', [id]);
  const free = { tenants: [], hosts: [], noFailing: false };
  const older = createPgClient(service.databaseUrl, {});
  t.after(() => older.close());
  await older.client.connect();
  await older.client.query('begin');
  assert.equal((await takeWebhook(service.db, free, constants))?.id, id);
  assert.equal(await takeWebhook(older.db, free, constants), null);
  await older.client.query('commit');
  worker = await startSending();
});

test('a webhook has few slots at a host that never answers, and the other slots serve all others', async (t) => {
  await worker.stop();
  const silent = await receive(t, () => null);
  const good = await receive(t);
  const urls = [...Array(4).fill(silent.url), ...Array(5).fill(good.url)];
  for (const url of urls) {
    const { id } = await create(t, url);
    assert.equal((await admin.call('POST', `/webhooks/${id}/test`)).status, 202);
  }
  // One look at the database: a slot that is free takes the next job.
  const once = { webhookInterval: 3_600_000, webhookTimeout: 3_600_000 };
  const slow = await startSending({ ...once, webhooksAtOnce: 2, webhooksPerHost: 1 });
  await until('some wait for the others', () => good.messages.length === 5);
  await until('nothing was sent to it', () => silent.messages.length === 1);
  silent.close();
  await slow.stop();
  worker = await startSending();
});

test('a webhook is told while eight restaurants have ten receivers each that never answer', async (t) => {
  await worker.stop();
  const silent = await receive(t, () => null);
  const { port } = new URL(silent.url);
  for (let restaurant = 0; restaurant < 8; restaurant += 1) {
    const tenantId = await plant(service.db, restaurantOf(`silent-${restaurant}`, []));
    for (let receiver = 1; receiver <= 10; receiver += 1) {
      const { id } = (await insertWebhook(service.db, {
        ...{ tenantId, events: ['menu.version'], isActive: true, secret: makeSecret() },
        url: `http://127.0.${restaurant}.${receiver}:${port}/`,
      })) as { id: number };
      await sendTest(service.db, { id: tenantId, slug: 'silent' }, id, Date.now());
    }
  }
  const patient = await startSending({ webhookTimeout: 3_600_000 });
  await until('they are not asked', () => silent.messages.length >= 8);
  const good = await receive(t);
  await create(t, good.url);
  await change({ price: 65 });
  await until('it waits for those of others', () => good.messages.length === 1);
  silent.close();
  await patient.stop();
  await service.sql('delete from webhooks where tenant_id <> $1', [service.tenantId]);
  worker = await startSending();
});
