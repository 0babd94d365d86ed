import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDatabase, type Database } from '../../../db/postgres/connection.ts';
import { lockTenant } from '../../../db/sql/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  // A statement that waits too long for a lock fails, and the test ends.
  const options = { maxConnections: 2, statementTimeout: 60_000, connectionTimeout: 60_000 };
  db = await createDatabase(database.url, options);
});
after(async () => {
  await db.end();
  await database.drop();
});

test('a caller that does not wait gets no locked tenant, and gets it afterwards', async () => {
  const id = await plant(db, restaurantOf('osteria', []));
  const skip = () => db.transaction((tx) => lockTenant(tx, id, 'skip'));
  await db.transaction(async (tx) => {
    assert.equal((await lockTenant(tx, id, 'wait'))?.slug, 'osteria');
    assert.equal(await skip(), null);
  });
  assert.equal((await skip())?.slug, 'osteria');
});
