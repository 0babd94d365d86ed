import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { publishVersion } from '../../db/menu/new-version.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { createReplicaSource } from '../../gateway/snapshots/source.ts';
import { ownDatabase } from '../support/own-database.ts';
import { patience } from '../support/patience.ts';
import { plant, restaurantOf } from '../support/restaurant.ts';

/** On a busy machine no replica is too slow, and one that has failed rests until the test is over. */
const patient = { ...constants, ...patience, replicaRest: 600_000 };
const { db } = await ownDatabase();
await plant(db, restaurantOf('osteria', []));

test('a replica that is further than a promoted primary is not believed', async () => {
  const servers = await Promise.all(
    [0, 3].map(async (lost) => {
      const { db } = await ownDatabase();
      const tenantId = await plant(db, restaurantOf('osteria', []));
      for (let count = 0; count < lost; count += 1) {
        await db.transaction((tx) => publishVersion(tx, tenantId));
      }
      return { db, tenantId };
    }),
  );
  const [primary, replica] = servers;
  assert.ok(primary && replica);
  const source = createReplicaSource(primary.db, replica.db, pino({ level: 'silent' }), patient);
  const { stored } = await source.find('osteria', null);
  const version = stored?.head?.version;
  assert.equal(version, 1);
  assert.equal((await source.findChange(primary.tenantId, 0, version))?.head?.version, 1);
});

test('a crowd at hosts that do not exist reads no menus of a replica', async () => {
  let reads = 0;
  const counting: Db = {
    ...db,
    any: (statement) => {
      reads += 1;
      return db.any(statement);
    },
  };
  const source = createReplicaSource(db, counting, pino({ level: 'silent' }), patient);
  const strangers = Array.from({ length: constants.maxUncheckedReads * 3 }, (_, index) =>
    source.find(`x${index}`, null),
  );
  const own = source.find('osteria', null);
  assert.ok((await Promise.all(strangers)).every(({ stored }) => stored === null));
  assert.equal((await own).stored?.slug, 'osteria');
  assert.equal(reads, Math.ceil((constants.maxUncheckedReads + 1) / constants.maxSnapshotsPerRead));
});

test('while the primary is away a replica answers, but not with less than was announced', async () => {
  const away: Db = { ...db, any: () => Promise.reject(new Error('the primary is away')) };
  const source = createReplicaSource(away, db, pino({ level: 'silent' }), patient);
  const { stored, isSure } = await source.find('osteria', null);
  assert.deepEqual([stored?.slug, isSure], ['osteria', false]);
  source.announce('osteria', 2);
  await assert.rejects(source.find('osteria', null), /the primary is away/);
  source.forgetAnnounced();
  assert.equal((await source.find('osteria', null)).stored?.slug, 'osteria');
});

test('a replica that has failed is left alone for a while', async () => {
  let asked = 0;
  const failing: Db = {
    ...db,
    any: () => {
      asked += 1;
      return Promise.reject(new Error('the replica is away'));
    },
  };
  const source = createReplicaSource(db, failing, pino({ level: 'silent' }), patient);
  for (let i = 0; i < 3; i += 1) {
    assert.equal((await source.find('osteria', null)).stored?.slug, 'osteria');
  }
  assert.equal(asked, 1);
});
