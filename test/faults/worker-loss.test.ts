// Work waits only some seconds for a worker that is killed, or whose connections stop answering.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { sql } from '../../db/postgres/sql.ts';
import { adminService, countEvents } from '../support/admin.ts';
import { databaseLink } from '../support/database-link.ts';
import { startForTest, startService } from '../support/service-process.ts';
import { lockTable } from '../support/sql.ts';
import { until, untilFound, untilStatus } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const service = await adminService();

async function sendEvent(): Promise<void> {
  const event = { type: 'menu_view', visitor_id: 'table 1' };
  (await service.client.sendEvents(event)).expect(202);
}

test('events that a killed worker had taken are counted by another', async () => {
  await service.worker.stop();
  const { program: worker } = await startService('workers/main.ts', service.databaseUrl);
  const holder = await lockTable(service.databaseUrl, 'analytics_events');
  await sendEvent();
  const waiting = `select from pg_locks
    where not granted and relation = 'analytics_events'::regclass`;
  await untilFound('no worker took the job', () => service.sql(waiting));
  await worker.kill();
  await holder.end();
  service.worker = await startTestWorker(service.databaseUrl);
  await until('the events were not counted', async () => (await countEvents(service.admin)) === 1);
});

test('a killed worker delays the restaurant whose whole menu it held until its heartbeat is missed', async () => {
  await service.worker.stop();
  const { program: worker } = await startService('workers/main.ts', service.databaseUrl);
  const holder = await lockTable(service.databaseUrl, 'dishes in share mode');
  const operations = [{ action: 'update', resource: 'items', id: 1, data: { price: 5 } }];
  const late = { Prefer: 'respond-async' };
  (await service.admin.call('POST', '/bulk', { operations }, late)).expect(202);
  const held = `update pgboss.job set expire_seconds = 3600
    where name = 'menu-writes' and state = 'active' returning id`;
  await untilFound('no worker took the job', () => service.sql(held));
  await worker.kill();
  await holder.end();
  service.worker = await startTestWorker(service.databaseUrl);
  // Its own time is not over for an hour.
  await until('the menu was not changed', async () => {
    return (await service.admin.get('/items/1')).json.data.price === 5;
  });
});

test('a worker opens new connections when its old ones stop answering but stay open', async () => {
  await service.worker.stop();
  const link = await databaseLink(service.databaseUrl);
  const changed = { workerStatementTimeout: 4_000, workerConnectionTimeout: 4_000 };
  const { program: worker } = await startService('workers/main.ts', link.url, {}, changed);
  const write = () => service.admin.call('PATCH', '/items/1', { price: 3 });
  assert.equal((await write()).status, 200);
  link.lose();
  await sendEvent();
  await untilStatus('the write was not done', 200, write);
  await until('the events were not counted', async () => (await countEvents(service.admin)) === 2);
  await worker.kill();
  service.worker = await startTestWorker(service.databaseUrl);
});

test('another worker does the writes of one that hangs, and of one that is killed', async (t) => {
  await service.worker.stop();
  // Killed also when the test fails: one that is stopped would never end.
  const { program: first } = await startForTest(t, 'workers/main.ts', service.databaseUrl);
  const write = () => service.admin.call('PATCH', '/items/1', { price: 4 });
  assert.equal((await write()).status, 200);
  service.worker = await startTestWorker(service.databaseUrl);
  process.kill(first.pid, 'SIGSTOP');
  await untilStatus('the write was not done', 200, write);
  await first.kill();
  assert.equal((await write()).status, 200);
});

test('Postgres ends an idle transaction of a lost worker after 10 seconds', async () => {
  const setting = v.object({ timeout: v.string() });
  const { timeout } = await service.db.one(sql.type(setting)`
    select current_setting('idle_in_transaction_session_timeout') as timeout
  `);
  assert.equal(timeout, '10s');
});

test('a worker that starts refreshes the statistics of a queue that grew while no worker ran', async () => {
  await service.worker.stop();
  const known = async () =>
    (await service.sql(`select reltuples from pg_class where relname = 'job_common'`))[0].reltuples;
  const count = 1_000;
  await service.sql`insert into pgboss.job (name, data, start_after)
     select 'menu-writes', '{}', now() + interval '1 day' from generate_series(1, ${count})`;
  assert.ok((await known()) < count);
  service.worker = await startTestWorker(service.databaseUrl);
  assert.ok((await known()) >= count);
});
