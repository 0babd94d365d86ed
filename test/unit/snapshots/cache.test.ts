import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SectionDishes, type SectionPart } from '../../../db/snapshot/parts.ts';
import type { ChangedSnapshot, MenuHead, StoredSnapshot } from '../../../db/sql/snapshots.ts';
import type { Representations } from '../../../gateway/http/representations.ts';
import { createSnapshotCache, type SnapshotCache } from '../../../gateway/snapshots/cache.ts';
import { type LoadedSnapshot, loadSnapshot } from '../../../gateway/snapshots/loaded-snapshot.ts';
import type { SnapshotReading } from '../../../gateway/snapshots/source.ts';
import { createLoader } from '../../../gateway/snapshots/store.ts';
import { LOCALES, storedIn } from '../../support/stored-menu.ts';

test('a snapshot that was read before the languages changed does not set them back', () => {
  const held = createSnapshotCache(1_000_000);
  held.keep(storedIn('it', 5, 'it'));
  held.keep(storedIn('en', 6, 'en'));
  // Its statement had seen version 5, and comes back last.
  held.keep(storedIn('fr', 5, 'it'));
  assert.equal(held.tenant('osteria')?.timezone, 'Europe/London');
  const answered = held.find('osteria', null);
  assert.equal(answered?.locale, 'en');
  assert.ok(answered?.served().resource('categories'));
});

test('of one language the newer snapshot stays', () => {
  const held = createSnapshotCache(1_000_000);
  const newer = held.keep(storedIn('it', 6, 'it'));
  assert.equal(held.keep(storedIn('it', 5, 'it')), newer);
  assert.equal(held.find('osteria', 'it')?.version, 6);
});

/** A later version of the menu of `storedIn`; a gateway has read what changed. */
function changedTo(version: number, parts: Partial<ChangedSnapshot> = {}): ChangedSnapshot {
  return { ...storedIn('it', version, 'it'), ...parts };
}

test('what changed since a version is put only to snapshots of that version and later ones', async () => {
  const held = createSnapshotCache(1_000_000);
  held.keep(storedIn('it', 5, 'it'));
  held.keep(storedIn('en', 6, 'it'));
  held.keep(storedIn('fr', 8, 'it'));
  await held.renew(changedTo(7), 6);
  const versions = LOCALES.map((locale) => held.find('osteria', locale)?.version);
  assert.deepEqual(versions, [5, 7, 8]);
});

test('a version comes with the encodings that readers of the one before asked for', async () => {
  const held = createSnapshotCache(1_000_000);
  const encodings = () => {
    const { br, gzip } = held.find('osteria', 'it')?.served().resource('menu') ?? {};
    return [br !== undefined, gzip !== undefined];
  };
  const first = held.keep(storedIn('it', 5, 'it'));
  await first.served().resource('menu').compress?.('br');
  await held.renew(changedTo(6), 5);
  assert.equal(held.find('osteria', 'it')?.wasServed(), false);
  assert.deepEqual(encodings(), [true, false]);
  // Version 7 has no reader.
  await held.renew(changedTo(7), 6);
  await held.renew(changedTo(8), 7);
  assert.equal(held.find('osteria', 'it')?.version, 8);
  assert.deepEqual(encodings(), [false, false]);
});

test('neither a language that is gone nor another tenant of the name is renewed', async () => {
  const held = createSnapshotCache(1_000_000);
  held.keep(storedIn('fr', 5, 'it'));
  const change = changedTo(6);
  await held.renew({ ...change, tenant_id: 2 }, 5);
  await held.renew({ ...change, head: { ...(change.head as MenuHead), locales: ['it'] } }, 5);
  assert.equal(held.find('osteria', 'fr')?.version, 5);
  await held.renew(change, 5);
  assert.equal(held.find('osteria', 'fr')?.version, 6);
});

test('of a name that is another tenant’s by now nothing of the former one is held', () => {
  const held = createSnapshotCache(1_000_000);
  held.keep(storedIn('it', 5, 'it'));
  held.keep({ ...storedIn('en', 2, 'it'), tenant_id: 2 });
  assert.equal(held.tenant('osteria')?.id, 2);
  assert.equal(held.find('osteria', 'it'), undefined);
});

test('what does not fit is not held, and what is least asked for is evicted first', () => {
  const tight = createSnapshotCache(1);
  const { bytes } = tight.keep(storedIn('it', 5, 'it'));
  assert.equal(tight.tenant('osteria'), undefined);
  const held = createSnapshotCache(2.5 * bytes);
  for (const locale of ['it', 'en'] as const) held.keep(storedIn(locale, 5, 'it'));
  assert.ok(held.find('osteria', 'it'));
  held.keep(storedIn('fr', 5, 'it'));
  const areHeld = LOCALES.map((locale) => held.find('osteria', locale) !== undefined);
  assert.deepEqual(areHeld, [true, false, true]);
});

test('former sections hold the bytes of their menu only where they are a large part of it', () => {
  const { tenant, head } = createSnapshotCache(1_000_000).keep(storedIn('it', 5, 'it'));
  const menu = Buffer.alloc(100_000, 'è');
  const formerIn = (length: number) => {
    const json = menu.subarray(0, length);
    const dishes = new SectionDishes('[]', [0]);
    const sections = new Map([[1, { id: 1, tag: '', textLength: 0, json, dishes }]]);
    const loaded = loadSnapshot(tenant, { ...head, order: [1] }, sections, () => undefined);
    const kept = (loaded.sections().get(1) as SectionPart).json;
    assert.ok(kept.equals(json));
    return kept.buffer === menu.buffer;
  };
  assert.deepEqual([20_000, 30_000, 100_000].map(formerIn), [false, true, true]);
});

/** A loader whose readings the test answers, one after the other. */
function openLoader() {
  const answers: ((stored: StoredSnapshot | null) => void)[] = [];
  const heard: string[] = [];
  const find = () =>
    new Promise<SnapshotReading>((resolve) => {
      answers.push((stored) => resolve({ stored, isSure: true }));
    });
  const loader = createLoader(createSnapshotCache(1_000_000), { find } as never, {
    expect: (_tenant, version) => heard.push(`expects ${version}`),
    reconcile: () => heard.push('compares'),
  });
  const answer = async (stored: StoredSnapshot | null) => {
    answers.shift()?.(stored);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { loader, answer, heard };
}

test('a restaurant that may have come while it was looked for is not taken for unknown', async () => {
  for (const what of ['nothing', 'an announcement', 'a doubt']) {
    const { loader, answer } = openLoader();
    const found = loader.load('osteria', null);
    if (what === 'an announcement') void loader.announce('osteria', 2);
    if (what === 'a doubt') loader.onMissed();
    await answer(null);
    // An announced version is looked for once more.
    await answer(null);
    assert.equal(await found, null);
    assert.equal(loader.isUnknown('osteria'), what === 'nothing', what);
    loader.onMissed();
    assert.equal(loader.isUnknown('osteria'), false);
  }
});

test('a version that is announced while an earlier one is read is read, or waited for', async () => {
  const { loader, answer, heard } = openLoader();
  const found = loader.load('osteria', 'it');
  void loader.announce('osteria', 7);
  await answer(storedIn('it', 5, 'it'));
  await answer(storedIn('it', 6, 'it'));
  assert.equal((await found)?.version, 6);
  assert.deepEqual(heard, ['expects 7']);
});

test('a restaurant that has left the memory is read anew, in each language once', async () => {
  const { loader, answer } = openLoader();
  const first = loader.load('osteria', 'it');
  assert.equal(loader.load('osteria', 'it'), first);
  await answer(storedIn('it', 5, 'it'));
  const second = loader.load('osteria', 'it');
  await answer(storedIn('it', 6, 'it'));
  assert.deepEqual([(await first)?.version, (await second)?.version], [5, 6]);
});

test('what was read while notices may have been missed is compared', async () => {
  const { loader, answer, heard } = openLoader();
  const found = loader.load('osteria', 'it');
  loader.onMissed();
  await answer(storedIn('it', 5, 'it'));
  assert.equal((await found)?.version, 5);
  assert.deepEqual(heard, ['compares']);
});

/** Keeps the answer of the present menu as hot, and returns the tenant with it. */
function heat(held: SnapshotCache, path: string) {
  const snapshot = held.find('osteria', null) as LoadedSnapshot;
  const { identity } = snapshot.served().resource('menu') as Representations;
  held.keepHot(snapshot.tenant, path, 'br', identity);
  return { tenant: snapshot.tenant, answer: identity };
}

test('a hot answer is found for its path and encoding alone', () => {
  const held = createSnapshotCache(1_000_000);
  held.keep(storedIn('it', 5, 'it'));
  const { tenant, answer } = heat(held, '/menu');
  assert.equal(held.hotAnswer(tenant, '/menu', 'br'), answer);
  assert.equal(held.hotAnswer(tenant, '/menu/en', 'br'), undefined);
  assert.equal(held.hotAnswer(tenant, '/menu', 'gzip'), undefined);
});

test('a hot answer is gone with its menu, with another language, and when it is evicted', async () => {
  const held = createSnapshotCache(1_000_000);
  held.keep(storedIn('it', 5, 'it'));
  const first = heat(held, '/menu');
  held.keep(storedIn('en', 6, 'en'));
  assert.equal(first.tenant.hot, undefined);
  const second = heat(held, '/menu');
  await held.renew(changedTo(7), 6);
  assert.equal(second.tenant.hot, undefined);
  const third = heat(held, '/menu');
  held.forgetTenant(third.tenant);
  assert.equal(third.tenant.hot, undefined);
});

test('a hot answer is looked for anew when another restaurant’s menu has come', () => {
  const held = createSnapshotCache(1_000_000);
  held.keep(storedIn('it', 5, 'it'));
  const { tenant } = heat(held, '/menu');
  held.keep({ ...storedIn('it', 1, 'it'), tenant_id: 2, slug: 'trattoria' });
  assert.equal(held.hotAnswer(tenant, '/menu', 'br'), undefined);
});
