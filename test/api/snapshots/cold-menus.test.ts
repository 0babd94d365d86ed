import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { publishVersion } from '../../../db/menu/new-version.ts';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { withoutOrigin } from '../../../db/schema/media-origin.ts';
import { coldMenuOf } from '../../../db/snapshot/cold-menu.ts';
import { BODY_NAMES, type Snapshot } from '../../../db/snapshot/parts.ts';
import { claimMenusToCool } from '../../../db/sql/snapshots.ts';
import { selectAnswer, selectReady } from '../../../gateway/http/representations.ts';
import type { LoadedSnapshot } from '../../../gateway/snapshots/loaded-snapshot.ts';
import { createSnapshotStore } from '../../../gateway/snapshots/store.ts';
import { makeMenusCold } from '../../../workers/snapshots.ts';
import { each } from '../../support/each.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { plant } from '../../support/restaurant.ts';

const log = pino({ level: 'silent' });
const BR = { ifNoneMatch: '', acceptEncoding: 'br' };
/** Nothing has to rest. */
const AT_ONCE = { ...constants, coldAfter: 0, coolingPause: 0 };

const database = await ownDatabase();
const { db } = database;

const tenantId = await plant(db, trattoria);
await plant(db, pizzeria);

/** The snapshot that a gateway reads that has just started. */
async function firstRead(slug: string, locale: 'en' | null = null): Promise<LoadedSnapshot> {
  const options = { db, log, mediaOrigin: (name: string) => name, constants };
  const store = createSnapshotStore({ ...options, maxBytes: 64 * 1_048_576 });
  const snapshot = await store.find(slug, locale);
  await store.stop();
  assert.ok(snapshot);
  return snapshot;
}

async function answersOf(snapshot: LoadedSnapshot) {
  const served = snapshot.served();
  const answers = [];
  for (const name of BODY_NAMES) {
    for (const acceptEncoding of ['', 'gzip', 'br']) {
      const resource = served.resource(name);
      if (!resource) continue;
      const { head, body } = await selectAnswer(resource, { ifNoneMatch: '', acceptEncoding });
      const bytes = Buffer.from(body as Buffer).toString('hex');
      answers.push([name, acceptEncoding, String(head), bytes]);
    }
  }
  return answers;
}

function partsOf(snapshot: LoadedSnapshot) {
  const served = snapshot.served();
  const sections = served.sections.map(({ json, dishes, ...part }) => {
    return { ...part, json: String(json), dishes: dishes.all() };
  });
  const branches = [...served.branches()].map(([id, json]) => [id, String(json)]);
  return { sections, branches };
}

const write = () => db.transaction((tx) => publishVersion(tx, tenantId));
const rest = () => makeMenusCold(db, () => true, AT_ONCE);
const tagOf = (head: Buffer) => /ETag: (\S+)/.exec(String(head))?.[1] ?? '';

test('a menu at rest has every answer, part and tag that it had before', async () => {
  const before = await firstRead('trattoria');
  const english = await firstRead('trattoria', 'en');
  await rest();
  const cold = await firstRead('trattoria');
  assert.ok(cold.bytes < before.bytes / 2, 'its sections are not in memory yet');
  assert.deepEqual(partsOf(cold), partsOf(before));
  assert.deepEqual(await answersOf(cold), await answersOf(before));
  assert.ok(cold.bytes >= before.bytes * 0.9, 'they are counted when they are');
  const other = await firstRead('trattoria', 'en');
  assert.deepEqual(await answersOf(other), await answersOf(english));
});

test('it is read, and found unchanged, without being woken', async () => {
  await rest();
  const snapshot = await firstRead('trattoria');
  const { menu, bytes } = snapshot;
  assert.ok(menu);
  const answer = selectReady(menu, BR);
  assert.equal(answer?.status, '200 OK');
  const ifNoneMatch = tagOf(answer?.head ?? Buffer.alloc(0));
  assert.match(ifNoneMatch, /-br"$/);
  assert.equal(selectReady(menu, { ...BR, ifNoneMatch })?.status, '304 Not Modified');
  assert.equal(snapshot.wasServed(), true);
  const again = await firstRead('trattoria');
  assert.equal(again.bytes, bytes);
  // Who holds the plain bytes need not be sent the compressed ones.
  const plain = { ...BR, ifNoneMatch: again.menu?.identity.etag ?? '' };
  assert.equal(again.menu && selectReady(again.menu, plain)?.status, '304 Not Modified');
  assert.ok(again.bytes > bytes);
});

test('a write is answered at once, and put to rest in its turn', async () => {
  await rest();
  await write();
  const fresh = await firstRead('trattoria');
  assert.equal(fresh.menu, undefined, 'what rests is of the version before');
  await rest();
  const cold = await firstRead('trattoria');
  assert.equal(cold.version, fresh.version);
  assert.deepEqual(await answersOf(cold), await answersOf(fresh));
});

test('a menu that was just changed does not rest, and no version is claimed twice', async () => {
  await rest();
  await write();
  assert.deepEqual(await claimMenusToCool(db, 60_000, 10), []);
  const both = await Promise.all([claimMenusToCool(db, 0, 10), claimMenusToCool(db, 0, 10)]);
  assert.deepEqual(each(both.flat(), 'tenant_id'), [tenantId]);
  // Its worker was killed: the menu is served all the same, and rests after its next change.
  assert.equal((await firstRead('trattoria')).menu, undefined);
  await write();
  await rest();
  assert.ok((await firstRead('trattoria')).menu);
});

test('a menu with photos is put together where their addresses are known', async () => {
  const identity = Buffer.from(JSON.stringify({ photo: withoutOrigin('/media/1.webp') }));
  const body = () => ({ etag: '"photos"', identity });
  const snapshot: Snapshot = { ...(await firstRead('pizzeria')).served(), body };
  assert.equal(await coldMenuOf(snapshot), null);
});

test('what rests goes with its restaurant', async () => {
  await rest();
  await database.sql('delete from tenants where slug = $1', ['pizzeria']);
  const [left] = await database.sql('select count(*)::int4 as n from rested_menus');
  assert.deepEqual(left, { n: 1 });
});
