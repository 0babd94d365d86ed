// How writes enter the table from which they are done, as gateways hand them over.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import type { Database } from '../../../db/postgres/connection.ts';
import { OverdueError } from '../../../db/postgres/outage.ts';
import { createBoss } from '../../../db/queue/boss.ts';
import { createSentJobs, type SentJobs, sendWrites } from '../../../db/queue/send-writes.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { parseSentWrites, sentWritesChannel } from '../../../db/schema/notices.ts';
import { type NewWrite, newWriteId } from '../../../db/schema/write.ts';
import { findLateTenants } from '../../../db/sql/waiting-tenants.ts';
import { countFailure, submitWrites, takeWrites } from '../../../db/sql/writes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openDatabase, plant, restaurantOf } from '../../support/restaurant.ts';
import { runSql } from '../../support/sql.ts';
import { until } from '../../support/until.ts';

const KEY_HOURS = 24;
let database: TestDatabase;
let db: Database;
let tenantId: number;
let otherId: number;
let boss: ReturnType<typeof createBoss>;

before(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.url);
  tenantId = await plant(db, restaurantOf('osteria', []));
  otherId = await plant(db, restaurantOf('bottega', []));
  boss = createBoss(database.url, { log: pino({ level: 'silent' }), max: 1 });
  await boss.start();
});
beforeEach(async () => {
  await runSql(database.url, 'delete from writes');
  await runSql(database.url, 'delete from pgboss.job');
});
after(async () => {
  await boss.stop({ graceful: false });
  await db.end();
  await database.drop();
});

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
  assert.deepEqual(
    submitted.map((one) => one?.inserted),
    taken,
  );
  assert.deepEqual(
    submitted.map((one) => one?.full),
    taken.map((isTaken) => !isTaken),
  );
  const rows = await runSql(database.url, 'select from writes');
  assert.equal(rows.length, 5);
});

test('writes are taken in the order in which they were sent, whatever their ids and keys', async () => {
  const [first, second, third] = [newWrite(), newWrite(), newWrite()];
  await submit(9, { ...second, idempotency_key: 'z' }, { ...third, idempotency_key: 'a' });
  await submit(9, first);
  const taken = await takeWrites(db, [tenantId]);
  assert.deepEqual(
    taken.map(({ id }) => id),
    [second.id, third.id, first.id],
  );
});

test('only writes that wait take room', async () => {
  await submit(1, newWrite());
  assert.equal((await submit(1, newWrite()))[0]?.full, true);
  await runSql(database.url, 'update writes set finished_at = now()');
  const [taken] = await submit(1, newWrite());
  assert.deepEqual([taken?.inserted, taken?.full], [true, false]);
});

test('a key of yesterday is free when its write is done, and not while it waits', async () => {
  const keyed = () => newWrite({ idempotency_key: 'chiave' });
  const [first] = await submit(9, keyed());
  assert.equal(first?.inserted, true);
  await runSql(database.url, `update writes set created_at = now() - interval '25 hours'`);
  const [whileItWaits] = await submit(9, keyed());
  assert.deepEqual([whileItWaits?.inserted, whileItWaits?.full], [false, false]);
  await runSql(database.url, 'update writes set finished_at = now()');
  const [afterwards] = await submit(9, keyed());
  assert.equal(afterwards?.inserted, true);
});

test('writes whose senders have been told that they failed are not kept, nor jobs of them', async () => {
  const send = (isOverdue: boolean) => sendWrites(boss, [newWrite()], () => isOverdue, constants);
  const kept = async () => [
    (await runSql(database.url, 'select from writes')).length,
    (await runSql(database.url, 'select from pgboss.job')).length,
  ];
  await assert.rejects(send(true), OverdueError);
  assert.deepEqual(await kept(), [0, 0]);
  await send(false);
  assert.deepEqual(await kept(), [1, 1]);
});

test('one job waits for a tenant, and a sender that has just sent it sends no other', async () => {
  const jobs = async () => (await runSql(database.url, 'select state from pgboss.job')).length;
  const send = (sent?: SentJobs) => {
    const writes = [newWrite(), newWrite({ tenant_id: otherId })];
    return sendWrites(boss, writes, () => false, constants, sent);
  };
  const sent = createSentJobs();
  await send();
  await send(sent);
  assert.deepEqual([await jobs(), sent.has(tenantId)], [2, false], 'the jobs were another’s');
  await runSql(database.url, `update pgboss.job set state = 'active'`);
  await Promise.all([send(sent), send(sent), send()]);
  assert.deepEqual([await jobs(), sent.has(tenantId)], [4, true], 'one waits beside an active one');
  await runSql(database.url, `update pgboss.job set state = 'active'`);
  await send(sent);
  assert.equal(await jobs(), 4, 'the sender relies on its own');
});

test('workers are told which tenants have writes', async () => {
  const worker = new pg.Client({ connectionString: database.url });
  await worker.connect();
  const told: number[] = [];
  worker.on('notification', ({ payload = '' }) => told.push(...parseSentWrites(payload)));
  await worker.query(`listen ${sentWritesChannel}`);
  const writes = [tenantId, otherId, tenantId].map((tenant_id) => newWrite({ tenant_id }));
  await sendWrites(boss, writes, () => false, constants);
  await until('no worker is told', async () => told.length > 0);
  assert.deepEqual(told, [tenantId, otherId]);
  await worker.end();
});

test('findLateTenants names restaurants by their first waiting write, a portion at a time', async () => {
  const thirdId = await plant(db, restaurantOf('trattoria', []));
  const ids = [tenantId, otherId, thirdId];
  const writes = ids.flatMap((id) => [newWrite({ tenant_id: id }), newWrite({ tenant_id: id })]);
  await submit(10, ...writes);
  const find = (age: number, after = 0, limit = 10) => findLateTenants(db, { age, after, limit });
  assert.deepEqual(await find(60_000), []);
  assert.deepEqual(await find(0), ids);
  assert.deepEqual(await find(0, 0, 2), ids.slice(0, 2));
  assert.deepEqual(await find(0, otherId, 2), [thirdId]);
  const first = (of: number) => writes.find((write) => write.tenant_id === of)?.id ?? '';
  await runSql(
    database.url,
    `update writes set created_at = now() - interval '2 minutes' where tenant_id = $1 and id <> $2`,
    [otherId, first(otherId)],
  );
  assert.deepEqual(await find(60_000), [], 'writes are done in their order');
  await runSql(database.url, `update writes set finished_at = now() where id = $1`, [
    first(otherId),
  ]);
  assert.deepEqual(await find(60_000), [otherId]);
  await countFailure(db, tenantId, first(tenantId), 'timeouts', 'a worker was killed');
  assert.deepEqual(await find(0), [otherId, thirdId], 'the queue counts its failures');
});
