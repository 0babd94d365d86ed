import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockTenant } from '../../../db/sql/tenants.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';

// A statement that waits a minute for a lock fails, and the test ends.
const { db } = await ownDatabase();

test('a caller that does not wait gets no locked tenant, and gets it afterwards', async () => {
  const id = await plant(db, restaurantOf('osteria', []));
  const skip = () => db.transaction((tx) => lockTenant(tx, id, 'skip'));
  await db.transaction(async (tx) => {
    assert.equal((await lockTenant(tx, id, 'wait'))?.slug, 'osteria');
    assert.equal(await skip(), null);
  });
  assert.equal((await skip())?.slug, 'osteria');
});
