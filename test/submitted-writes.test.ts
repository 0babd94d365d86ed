// How writes enter the table from which they are done, as gateways hand them over.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Database } from '../db/postgres/connection.ts';
import { submitWrites } from '../db/queries/submit-writes.ts';
import type { NewWrite } from '../db/records/write.ts';
import { makeUuidV7 } from '../gateway/uuid-v7.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { openDatabase, plant, restaurantOf } from './support/restaurant.ts';
import { runSql } from './support/sql.ts';

const KEY_HOURS = 24;

let database: TestDatabase;
let db: Database;
let tenantId: number;
let otherId: number;

before(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.url);
  tenantId = await plant(db, restaurantOf('osteria', []));
  otherId = await plant(db, restaurantOf('bottega', []));
});
beforeEach(() => runSql(database.url, 'delete from writes'));
after(async () => {
  await db.end();
  await database.drop();
});

const newWrite = (parts: Partial<NewWrite> = {}): NewWrite => ({
  ...{ tenant_id: tenantId, id: makeUuidV7(), token_id: 1, resource: 'theme', action: 'change' },
  ...{ record_id: null, input: {}, if_match: null, idempotency_key: null },
  request_hash: Buffer.alloc(32),
  ...parts,
});

async function submit(maxWaiting: number, ...writes: NewWrite[]) {
  // On one connection, as gateways do: its statements are sent together and done in order.
  const submitted = await db.transaction((tx) => submitWrites(tx, writes, maxWaiting, KEY_HOURS));
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
