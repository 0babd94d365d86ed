// A gateway may hold menus of another database than the one that it asks now.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { publishVersion } from '../../../db/menu/new-version.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { createSnapshotStore } from '../../../gateway/snapshots/store.ts';
import { afterFile } from '../../support/for-file.ts';
import { testOrigin } from '../../support/media-origin.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { republish } from '../../support/republish.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';
import { setVersion } from '../../support/versions.ts';

const restaurant = restaurantOf('osteria', [], { supported_locales: ['it', 'en'] });
const database = await ownDatabase();
const { db } = database;
const tenantId = await plant(db, restaurant);
const log = pino({ level: 'silent' });
const store = createSnapshotStore({
  ...{ mediaOrigin: testOrigin, db, log, constants },
  maxBytes: 64 * 1024 * 1024,
});
afterFile(() => store.stop());

test('a locale that is further than the database is not trusted, beside one that is not', async () => {
  const version = (await store.find('osteria', 'it'))?.version ?? 0;
  // The next version, in which the other locale is read, is not announced.
  await db.transaction((tx) => publishVersion(tx, tenantId));
  assert.equal((await store.find('osteria', 'en'))?.version, version + 1);
  await setVersion(database.url, tenantId, version);
  await db.transaction((tx) => republish(tx, tenantId));
  store.reconcile();
  await until('what is lost is still held', async () => {
    return store.held('osteria', 'en')?.version === version;
  });
});

test('a slug that is another tenant by now is the other one', async () => {
  assert.equal((await store.find('osteria', 'it'))?.tenant.id, tenantId);
  await database.sql(`update tenants set slug = 'altrove'`);
  const other = await plant(db, restaurant);
  store.reconcile();
  await until('the former one is held', async () => store.held('osteria', 'it') === undefined);
  assert.equal((await store.find('osteria', 'it'))?.tenant.id, other);
});
