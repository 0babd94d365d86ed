// Answered writes survive when the clock of Postgres steps, or when no worker runs for weeks. The
// stamps of rows are moved instead of the clock: those of a later time are left by one that was ahead.
import { beforeEach, test } from 'node:test';
import pino from 'pino';
import { createBoss } from '../../db/queue/boss.ts';
import { queues } from '../../db/schema/queues.ts';
import { adminService, countEvents } from '../support/admin.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const service = await adminService();

const { json } = await service.admin.call('POST', '/categories', { name: { it: 'Orologi' } });
const input = { category_id: json.data.id, name: { it: 'Pendola' } };
const dish = `/items/${(await service.admin.call('POST', '/items', input)).json.data.id}`;
beforeEach(() => service.worker.stop());

const { sql } = service;

async function startWorker(): Promise<void> {
  const often = { clockCheckInterval: 500, firstRoundAfter: 100 };
  service.worker = await startTestWorker(service.databaseUrl, {}, often);
}

/** Sends a write that no worker does yet. */
async function rename(name: string): Promise<void> {
  const headers = { Prefer: 'respond-async' };
  (await service.admin.call('PUT', dish, { name: { it: name } }, headers)).expect(202);
}

const named = (name: string) => async () =>
  (await service.client.get(dish)).json.data.name === name;

test('writes that have waited for weeks are done when a worker comes', async () => {
  await rename('Clessidra');
  await sql(`
    update pgboss.job set created_on = created_on - interval '15 days',
      start_after = start_after - interval '15 days', keep_until = keep_until - interval '15 days'
    where name = '${queues.menuWrites}'`);
  await sql('update pgboss.queue set maintain_on = null, monitor_claim_on = null');
  const boss = createBoss(service.databaseUrl, { log: pino({ level: 'silent' }), max: 2 });
  await boss.start();
  // This deletes jobs that waited too long.
  await boss.supervise(queues.menuWrites);
  await boss.stop();
  await startWorker();
  await until('the write is not done', named('Clessidra'));
});

test('writes are done in the order in which they came, whatever the clock said', async () => {
  await rename('Meridiana');
  await sql(`update writes set created_at = created_at + interval '1 hour' where outcome is null`);
  await rename('Cronometro');
  await startWorker();
  await until('the writes are not done', async () => {
    const [{ count }] = await sql('select count(*)::int4 from writes where outcome is null');
    return count === 0;
  });
  await until('the later name is not shown', named('Cronometro'));
});

test('nothing waits for a clock that was ahead to come there again', async () => {
  await rename('Sveglia');
  await sql(`
    update pgboss.job set start_after = now() + interval '2 hours'
    where name = '${queues.menuWrites}' and state = 'created'`);
  await service.client.sendEvents({ type: 'menu_view' });
  await sql(`
    update pgboss.job set start_after = now() + interval '2 hours'
    where name = '${queues.analyticsEvents}' and state = 'created'`);
  await sql`
    update pgboss.queue set monitor_on = now() + interval '2 hours',
      monitor_claim_on = now() + interval '2 hours', maintain_on = now() + interval '2 hours'`;
  await startWorker();
  await until('the write is not done', named('Sveglia'));
  await until('the event is not counted', async () => (await countEvents(service.admin)) === 1);
});

/** Moves what a killed worker has left in a queue into the future. */
const leave = (queue: string) =>
  sql(`
    update pgboss.job set state = 'active', started_on = now() + interval '2 hours',
      heartbeat_on = now() + interval '2 hours'
    where name = '${queue}' and state = 'created'`);

test('what a killed worker had taken is done when the clock has been set back', async () => {
  await rename('Svegliarino');
  await leave(queues.menuWrites);
  await sql(`update writes set created_at = now() + interval '2 hours' where outcome is null`);
  await service.client.sendEvents({ type: 'menu_view' });
  await leave(queues.analyticsEvents);
  await sql(`update pgboss.queue set monitor_claim_on = now() + interval '2 hours'`);
  await startWorker();
  await until('the write is not done', named('Svegliarino'));
  await until('the event is not counted', async () => (await countEvents(service.admin)) === 2);
});

test('a write whose job is gone is done', async () => {
  await rename('Orologio a cucù');
  await sql(`delete from pgboss.job where name = '${queues.menuWrites}'`);
  await sql(`update writes set created_at = now() - interval '1 minute' where outcome is null`);
  await startWorker();
  await until('the write is not done', named('Orologio a cucù'));
});
