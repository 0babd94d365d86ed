// How writes enter the table from which they are done, as gateways hand them over.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { OverdueError } from '../../../db/postgres/outage.ts';
import {
  beginTransaction,
  bindJobTransaction,
  createBoss,
  startHearing,
} from '../../../db/queue/boss.ts';
import { QUICK, SLOW, sendDueJobs, sendWaitingWrites } from '../../../db/queue/restaurant-jobs.ts';
import { insertWrites, sendWrites } from '../../../db/queue/send-writes.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { queues } from '../../../db/schema/queues.ts';
import { type NewWrite, newWriteId } from '../../../db/schema/write.ts';
import { submitWrites, takeWrites } from '../../../db/sql/writes.ts';
import { each } from '../../support/each.ts';
import { afterFile } from '../../support/for-file.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';

const KEY_HOURS = 24;
const database = await ownDatabase();
const { db } = database;

const tenantId = await plant(db, restaurantOf('osteria', []));
const otherId = await plant(db, restaurantOf('bottega', []));
const boss = createBoss(database.url, { log: pino({ level: 'silent' }), max: 1 });
await boss.start();
beforeEach(async () => {
  await database.sql('delete from writes');
  await database.sql('delete from pgboss.job');
});
afterFile(() => boss.stop({ graceful: false }));

const newWrite = (parts: Partial<NewWrite> = {}): NewWrite => ({
  ...{ tenant_id: tenantId, id: newWriteId(), token_id: 1, resource: 'theme', action: 'change' },
  ...{ record_id: null, input: {}, expected_tags: null, idempotency_key: null, document: null },
  ignored: [],
  request_hash: Buffer.alloc(32),
  ...parts,
});

async function submit(maxWaiting: number, ...writes: NewWrite[]) {
  // On one connection, as gateways do: its statements are sent together and done in order.
  const submitted = await db.transaction((tx) =>
    submitWrites(tx, writes, { maxWaiting, keyHours: KEY_HOURS, isFlushed: false }),
  );
  const byId = new Map(submitted.map((one) => [one.id, one]));
  return writes.map(({ id }) => byId.get(id));
}

test('of writes that arrive together as many are taken as there is room for, in their order', async () => {
  await submit(3, newWrite());
  const writes = Array.from({ length: 5 }, () => newWrite());
  const others = [newWrite({ tenant_id: otherId }), newWrite({ tenant_id: otherId })];
  const submitted = await submit(3, ...writes, ...others);
  const taken = [true, true, false, false, false, true, true];
  const inserted = submitted.map((one) => one?.inserted);
  assert.deepEqual(inserted, taken);
  const full = submitted.map((one) => one?.full);
  assert.deepEqual(full, [false, false, true, true, true, false, false]);
  assert.equal((await database.sql('select from writes')).length, 5);
});

test('writes are taken in the order in which they were sent, whatever their ids and keys', async () => {
  const [first, second, third] = [newWrite(), newWrite(), newWrite()];
  await submit(9, { ...second, idempotency_key: 'z' }, { ...third, idempotency_key: 'a' });
  await submit(9, first);
  assert.deepEqual(each(await takeWrites(db, [tenantId]), 'id'), [second.id, third.id, first.id]);
});

test('only writes that wait take room', async () => {
  await submit(1, newWrite());
  assert.equal((await submit(1, newWrite()))[0]?.full, true);
  await database.sql('update writes set finished_at = now()');
  const [taken] = await submit(1, newWrite());
  assert.deepEqual([taken?.inserted, taken?.full], [true, false]);
});

test('a key of yesterday is free when its write is done, and not while it waits', async () => {
  const keyed = () => newWrite({ idempotency_key: 'chiave' });
  const [first] = await submit(9, keyed());
  assert.equal(first?.inserted, true);
  await database.sql(`update writes set created_at = now() - interval '25 hours'`);
  const [whileItWaits] = await submit(9, keyed());
  assert.deepEqual([whileItWaits?.inserted, whileItWaits?.full], [false, false]);
  await database.sql('update writes set finished_at = now()');
  const [afterwards] = await submit(9, keyed());
  assert.equal(afterwards?.inserted, true);
});

test('writes whose senders have been told that they failed are not kept, nor jobs of them', async () => {
  const send = (isOverdue: boolean) => sendWrites(boss, [newWrite()], () => isOverdue, constants);
  const kept = async () => [
    (await database.sql('select from writes')).length,
    (await database.sql('select from pgboss.job')).length,
  ];
  await assert.rejects(send(true), OverdueError);
  assert.deepEqual(await kept(), [0, 0]);
  await send(false);
  assert.deepEqual(await kept(), [1, 1]);
});

test('each write that is stored has a job of its own, and one that is refused has none', async () => {
  const small = { ...constants, maxWaitingWrites: 1 };
  const writes = [newWrite(), newWrite(), newWrite({ tenant_id: otherId, action: 'restore' })];
  const submitted = await sendWrites(boss, writes, () => false, small);
  assert.deepEqual(each(submitted, 'inserted'), [true, false, true]);
  const jobs = await database.sql`
    select id, singleton_key, priority from pgboss.job order by priority desc`;
  assert.deepEqual(jobs, [
    { id: writes[0]?.id, singleton_key: String(tenantId), priority: QUICK },
    { id: writes[2]?.id, singleton_key: String(otherId), priority: SLOW },
  ]);
});

test('a write comes before the due changes of other restaurants that were there first', async () => {
  await sendDueJobs(boss, [otherId]);
  const write = newWrite();
  await sendWrites(boss, [write], () => false, constants);
  assert.deepEqual(each(await boss.fetch(queues.menuWrites, { batchSize: 1 }), 'id'), [write.id]);
});

test('workers are told of writes when they are committed', async () => {
  const log = pino({ level: 'silent' });
  const hearing = createBoss(database.url, { log, max: 1, useListenNotify: true });
  const [channel = ''] = Object.keys((await startHearing(hearing)).channels);
  const worker = new pg.Client({ connectionString: database.url });
  await worker.connect();
  const told: string[] = [];
  worker.on('notification', ({ payload = '' }) => told.push(payload));
  await worker.query(`listen "${channel}"`);
  await sendWrites(boss, [newWrite()], () => false, constants);
  await until('no worker is told', async () => told.length > 0);
  assert.deepEqual(told, [queues.menuWrites]);
  await worker.end();
  await hearing.stop({ graceful: false });
});

test('writes that wait without jobs get theirs when a worker starts, and others get none twice', async () => {
  const writes = [newWrite(), newWrite({ tenant_id: otherId }), newWrite()];
  await submit(9, ...writes.slice(0, 2));
  await sendWrites(boss, writes.slice(2), () => false, constants);
  await sendWaitingWrites(db, boss);
  await sendWaitingWrites(db, boss);
  const jobs = await database.sql('select id from pgboss.job');
  assert.deepEqual(new Set(jobs.map(({ id }) => id)), new Set(writes.map(({ id }) => id)));
});

/** The ids of the jobs that a worker gets now. */
async function claim(): Promise<string[]> {
  return (await boss.fetch(queues.menuWrites, { batchSize: 9 })).map(({ id }) => id);
}
const end = (id: string) => boss.deleteJob(queues.menuWrites, id);

test('a write is handed out, however its sending crosses the turn of the one before', async () => {
  const [first, second, third] = [newWrite(), newWrite(), newWrite()];
  await sendWrites(boss, [first], () => false, constants);
  assert.deepEqual(await claim(), [first.id]);
  const sender = createBoss(database.url, { log: pino({ level: 'silent' }), max: 1 });
  await sender.start();
  const transaction = await beginTransaction(sender);
  const { db: senderDb } = transaction;
  await insertWrites(sender, senderDb, bindJobTransaction(senderDb), [second], constants);
  assert.deepEqual(await claim(), [], 'it is not committed');
  await end(first.id);
  assert.deepEqual(await claim(), [], 'it is still not committed');
  await transaction.commit();
  assert.deepEqual(await claim(), [second.id]);
  await sendWrites(sender, [third], () => false, constants);
  assert.deepEqual(await claim(), [], 'its restaurant is with a worker');
  await end(second.id);
  assert.deepEqual(await claim(), [third.id]);
  await sender.stop({ graceful: false });
});

test('of workers that claim at once one gets a restaurant, and the first of its writes', async () => {
  const workers = [0, 1, 2, 3].map(() =>
    createBoss(database.url, { log: pino({ level: 'silent' }), max: 1 }),
  );
  await Promise.all(workers.map((worker) => worker.start()));
  const own = [newWrite(), newWrite(), newWrite()];
  const others = [newWrite({ tenant_id: otherId }), newWrite({ tenant_id: otherId })];
  await sendWrites(boss, [...own, ...others], () => false, constants);
  const claimed = await Promise.all(
    workers.map((worker) => worker.fetch(queues.menuWrites, { batchSize: 9 })),
  );
  const ids = claimed.flat().map(({ id }) => id);
  assert.deepEqual(new Set(ids), new Set([own[0]?.id, others[0]?.id]));
  assert.equal(ids.length, 2);
  await Promise.all(workers.map((worker) => worker.stop({ graceful: false })));
});
