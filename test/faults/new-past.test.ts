// After a failover or a restore a version of the menu may stand for another menu than before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { constants } from '../../db/runtime/constants.ts';
import { createPrimarySource, type SnapshotSource } from '../../gateway/snapshots/source.ts';
import { createSnapshotStore, type SnapshotStore } from '../../gateway/snapshots/store.ts';
import { adminService, smallRestaurant } from '../support/admin.ts';
import { testOrigin } from '../support/media-origin.ts';
import { patience } from '../support/patience.ts';
import { changePast, republish } from '../support/republish.ts';
import { until } from '../support/until.ts';
import { setVersion } from '../support/versions.ts';

const { slug } = smallRestaurant;
const patient = { ...constants, ...patience };
const service = await adminService();
const { db, tenantId } = service;

/** Another past, in which the version that the menu has now stands for another name. */
async function restore(name: string): Promise<void> {
  await service.sql('update settings set name = $1', [name]);
  await db.transaction((tx) => republish(tx, tenantId));
  await db.transaction(changePast);
}

/** A store that knows the past of its database. */
async function openStore(source = createPrimarySource(db, patient)): Promise<SnapshotStore> {
  const log = pino({ level: 'silent' });
  const options = { mediaOrigin: testOrigin, maxBytes: 64 * 1024 * 1024, constants: patient };
  const store = createSnapshotStore({ db, source, log, ...options });
  await store.confirm();
  return store;
}

function nameOf(found: Awaited<ReturnType<SnapshotStore['find']>> | undefined): string {
  assert.ok(found, 'what is held serves on');
  return JSON.parse(String(found.served().body('menu')?.identity)).data.settings.name;
}

/** Waits until a store has read the menu with this name. */
const untilNamed = (store: SnapshotStore, name: string) =>
  until(`the menu is not ${name}`, () => nameOf(store.held(slug, null)) === name);

test('a result without a notice is told when the menu that it stands for is served', async () => {
  const body = { name: { it: 'Da capo' }, category_id: 1 };
  const write = () => service.admin.call('POST', '/items', body, { 'Idempotency-Key': 'da-capo' });
  const first = (await write()).expect(201);
  await restore('Dopo il ripristino');
  const again = await write();
  assert.deepEqual([again.status, again.text], [201, first.text]);
  const { json } = await service.client.get('/menu');
  assert.equal(json.data.settings.name, 'Dopo il ripristino');
});

test('the menu of the same version is read again', async () => {
  const store = await openStore();
  await store.find(slug, null);
  await restore('Prima');
  store.reconcile();
  await untilNamed(store, 'Prima');
  await store.stop();
});

test('a version counts as served when it is that of the new past', async () => {
  const store = await openStore();
  const version = (await store.find(slug, null))?.version ?? 0;
  await restore('Seconda');
  // As when listening has begun again.
  store.reconcile();
  await store.whenServed(slug, version);
  assert.equal(nameOf(store.held(slug, null)), 'Seconda');
  await store.stop();
});

test('a menu that was on its way is read again', async () => {
  const primary = createPrimarySource(db, patient);
  let release: (() => void) | undefined;
  const source: SnapshotSource = {
    ...primary,
    find: async (...wanted) => {
      const reading = await primary.find(...wanted);
      if (!release) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      return reading;
    },
  };
  const store = await openStore(source);
  const found = store.find(slug, null);
  await until('it was not read', async () => release !== undefined);
  await restore('Terza');
  await store.confirm();
  release?.();
  assert.equal(nameOf(await found), 'Terza');
  await store.stop();
});

test('it is found without an announcement, and without a connection that is lost', async () => {
  const store = await openStore();
  await store.find(slug, null);
  await restore('Quarta');
  await untilNamed(store, 'Quarta');
  await store.stop();
});

test('what is further than the database is not trusted', async () => {
  const store = await openStore();
  const held = await store.find(slug, null);
  assert.ok(held);
  const rebuild = async (name: string, version: number) => {
    await service.sql('update settings set name = $1', [name]);
    await setVersion(service.databaseUrl, tenantId, version);
    await db.transaction((tx) => republish(tx, tenantId));
  };
  await rebuild('Di prima', held.version - 1);
  store.reconcile();
  await store.whenServed(slug, held.version - 1);
  assert.equal(nameOf(store.held(slug, null)), 'Di prima');
  await store.stop();
});
