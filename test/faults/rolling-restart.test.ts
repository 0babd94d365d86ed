// Operators restart gateways and workers one by one while restaurants are open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { plantWithToken } from '../support/admin.ts';
import { createTestDatabase } from '../support/database.ts';
import { patience } from '../support/patience.ts';
import { restaurantOf } from '../support/restaurant.ts';
import { rollOver } from './outages/rolling.ts';

test('a rolling restart loses no read, no write and no event', async () => {
  const database = await createTestDatabase();
  const { token } = await plantWithToken(database.url, restaurantOf('steady', []));
  const tenant = { host: 'steady.localhost', token };
  // On a busy machine no read is refused because Postgres is slow.
  const changed = { ...patience, writeTimeout: constants.writeTimeout };
  const options = { gateways: 2, workers: 1, readers: 6, pause: 200, changed };
  const { reads, writes, kept, events, counted } = await rollOver(database.url, tenant, options);
  await database.drop();

  assert.ok(reads.good > 0);
  assert.equal(reads.lost, 0, reads.firstFailure);
  assert.deepEqual(reads.refused, {}, reads.firstFailure);
  assert.ok(writes.promised.length > 0);
  assert.deepEqual(writes.unanswered, []);
  assert.deepEqual(writes.strange, []);
  assert.deepEqual(kept, { missing: 0, doubled: 0 });
  assert.ok(events.promised.length > 0);
  assert.deepEqual(events.unanswered, []);
  assert.equal(counted, events.promised.length);
});
