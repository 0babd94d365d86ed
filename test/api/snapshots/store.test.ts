import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { publishVersion } from '../../../db/menu/new-version.ts';
import { generateRestaurant } from '../../../db/operator/demo/generator.ts';
import { plantRestaurant } from '../../../db/operator/demo/restaurant.ts';
import type { Db } from '../../../db/postgres/sql.ts';
import { type Constants, constants } from '../../../db/runtime/constants.ts';
import type { VersionNotice } from '../../../db/schema/notices.ts';
import { LOCALES, type Locale } from '../../../db/schema/values/locale.ts';
import { BODY_NAMES } from '../../../db/snapshot/parts.ts';
import { UnavailableError } from '../../../gateway/http/errors.ts';
import { selectAnswer } from '../../../gateway/http/representations.ts';
import { createPrimarySource, type SnapshotSource } from '../../../gateway/snapshots/source.ts';
import { createSnapshotStore, type SnapshotStore } from '../../../gateway/snapshots/store.ts';
import { createGate } from '../../support/gate.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { until } from '../../support/until.ts';
import { setVersion } from '../../support/versions.ts';

const log = pino({ level: 'silent' });
const shared = { mediaOrigin: (slug: string) => slug, log };
const slugs = Array.from({ length: 40 }, (_, index) => generateRestaurant(index).slug);
const MEGABYTE = 1024 * 1024;

const database = await ownDatabase();
const { db } = database;

for (const index of slugs.keys()) {
  await db.transaction((tx) => plantRestaurant(tx, generateRestaurant(index)));
}

/** The database, with every statement counted, and broken when a test wants it so. */
function observedDb() {
  const state = { statements: 0, broken: false };
  const observe =
    <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      state.statements += 1;
      if (state.broken) {
        throw Object.assign(new Error('Postgres is away'), { code: 'ECONNREFUSED' });
      }
      return method(...args);
    };
  const observed: Db = {
    any: observe(db.any) as Db['any'],
    one: observe(db.one) as Db['one'],
    maybeOne: observe(db.maybeOne) as Db['maybeOne'],
    run: observe(db.run),
    count: observe(db.count),
    touches: observe(db.touches),
  };
  return { state, db: observed };
}

/** The stores of a test; they are stopped with it. */
const stores: SnapshotStore[] = [];
const opened = (store: SnapshotStore) => {
  stores.push(store);
  return store;
};
afterEach(async () => {
  for (const store of stores.splice(0)) await store.stop();
});

function createStore(maxBytes = 64 * MEGABYTE, changed: Partial<Constants> = {}) {
  const observed = observedDb();
  const options = { db: observed.db, ...shared, maxBytes, constants: { ...constants, ...changed } };
  return { store: opened(createSnapshotStore(options)), state: observed.state };
}

async function write(slug: string): Promise<Omit<VersionNotice, 'generated_at'>> {
  const store = createSnapshotStore({ db, ...shared, maxBytes: MEGABYTE, constants });
  const tenant_id = (await store.find(slug, null))?.tenant.id ?? 0;
  await store.stop();
  const version = Number(await db.transaction((tx) => publishVersion(tx, tenant_id)));
  return { tenant_id, slug, version };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function collectGarbage(): Promise<void> {
  // The target of a weak reference lives until the turn is over.
  await nextTurn();
  collect();
}

const holds = (condition: () => boolean) => until('the condition did not come to hold', condition);

/** Whether a store has answered at once, with a snapshot of a version. */
const isAt = (found: ReturnType<SnapshotStore['find']>, version: number) =>
  found !== null && 'version' in found && found.version === version;

const [slug = ''] = slugs;

describe('loading', () => {
  test('a cold read takes one statement, a hot one none and no promise', async () => {
    const { store, state } = createStore();
    const cold = await store.find(slug, null);
    assert.equal(state.statements, 1);
    const hot = store.find(slug, null);
    assert.ok(!(hot instanceof Promise));
    assert.equal(hot, cold);
    assert.equal(state.statements, 1);
  });

  test('however many ask, a missing snapshot is loaded once', async () => {
    const { store, state } = createStore();
    const found = await Promise.all(Array.from({ length: 500 }, () => store.find(slug, null)));
    assert.equal(state.statements, 1);
    assert.equal(new Set(found).size, 1);
  });

  test('an unknown tenant is asked for once, until one of that name is announced', async () => {
    const { store, state } = createStore();
    assert.equal(await store.find('nessuno', null), null);
    assert.equal(store.find('nessuno', null), null);
    assert.equal(state.statements, 1);
    store.onVersion({ tenant_id: 999, slug: 'nessuno', version: 1 });
    assert.equal(await store.find('nessuno', null), null);
    assert.equal(state.statements, 2);
  });
});

describe('memory', () => {
  test('stays within the bound over a walk through all tenants and locales', async () => {
    const maxBytes = 3 * MEGABYTE;
    const { store } = createStore(maxBytes);
    let total = 0;
    for (const name of slugs) {
      for (const locale of LOCALES) {
        const snapshot = await store.find(name, locale);
        total += snapshot?.bytes ?? 0;
        assert.ok(store.stats().bytes <= maxBytes);
      }
    }
    assert.ok(total > 2 * maxBytes, 'the walk did not exceed the bound');
    assert.ok(store.stats().bytes > maxBytes / 2);
  });

  test('counts at least the bytes of what it holds', async () => {
    const { store } = createStore();
    const snapshot = await store.find(slug, null);
    const served = snapshot?.served();
    const resources = BODY_NAMES.flatMap((name) => served?.resource(name) ?? []);
    const before = snapshot?.bytes ?? 0;
    for (const acceptEncoding of ['gzip', 'br']) {
      for (const resource of resources) {
        await selectAnswer(resource, { ifNoneMatch: '', acceptEncoding });
      }
    }
    const forms = resources.flatMap(({ identity, gzip, br }) => [identity, gzip, br]);
    const held = forms.reduce((sum, form) => sum + (form?.length ?? 0), 0);
    assert.equal(forms.filter(Boolean).length, 4 + 2 * 2);
    assert.ok(before < (snapshot?.bytes ?? 0));
    assert.ok((snapshot?.bytes ?? 0) >= held);
    assert.equal(store.stats().bytes, snapshot?.bytes);
  });

  test('keeps of a snapshot neither what it was made of nor the version before', async () => {
    const { store } = createStore();
    // Whatever this function held itself could not be collected.
    const templates = await (async () => {
      const snapshot = await store.find(slug, null);
      const sections = [...(snapshot?.sections().values() ?? [])];
      snapshot?.served();
      return sections.map((section) => new WeakRef<object>(section));
    })();
    const body = () => {
      const menu = store.held(slug, null)?.served().body('menu');
      return new WeakRef<object>(menu?.identity.buffer ?? {});
    };
    const before = body();
    assert.ok(templates.length > 0);
    await collectGarbage();
    assert.ok(templates.every((template) => template.deref() === undefined));
    assert.ok(before.deref());
    const notice = await write(slug);
    store.onVersion(notice);
    await holds(() => store.held(slug, null)?.version === notice.version);
    const next = body();
    await collectGarbage();
    assert.equal(before.deref(), undefined);
    assert.ok(next.deref());
  });

  test('a snapshot larger than the bound is served all the same', async () => {
    const { store } = createStore(1_000);
    assert.ok(await store.find(slug, null));
    const { bytes, snapshots } = store.stats();
    assert.deepEqual({ bytes, snapshots }, { bytes: 0, snapshots: 0 });
  });
});

describe('freshness', () => {
  test('an announced version replaces every locale that is held', async () => {
    const { store } = createStore();
    const before = await Promise.all(LOCALES.map((locale) => store.find(slug, locale)));
    const notice = await write(slug);
    store.onVersion(notice);
    assert.equal(store.find(slug, null), await store.find(slug, null), 'the old one goes on');
    const current = () => LOCALES.map((locale) => store.find(slug, locale));
    await holds(() => current().every((found) => isAt(found, notice.version)));
    assert.ok(before.every((snapshot) => (snapshot?.version ?? 0) < notice.version));
  });

  test('locales that were read at different versions all come to the one announced', async () => {
    const { store } = createStore();
    await store.find(slug, 'it');
    await write(slug);
    await store.find(slug, 'en');
    const versions = () =>
      ['it', 'en'].map((locale) => store.held(slug, locale as Locale)?.version);
    const { version } = await write(slug);
    assert.equal(new Set(versions()).size, 2);
    store.onVersion({ tenant_id: 0, slug, version });
    await holds(() => versions().every((held) => held === version));
  });

  test('a version announced while its predecessor is being read is not lost', async () => {
    const { store } = createStore();
    const notice = await write(slug);
    const loading = store.find(slug, null);
    store.onVersion({ ...notice, version: notice.version + 1 });
    assert.equal((await loading)?.version, notice.version);
    const next = await write(slug);
    await holds(() => isAt(store.find(slug, null), next.version));
  });

  test('versions whose notices were missed are found by comparing', async () => {
    const { store, state } = createStore();
    for (const name of slugs.slice(0, 10)) await store.find(name, null);
    const [first, second] = [await write(slug), await write(slugs[5] ?? '')];
    const statements = state.statements;
    store.reconcile();
    await holds(() => state.statements >= statements + 4);
    for (const { slug: changed, version } of [first, second]) {
      await holds(() => isAt(store.find(changed, null), version));
    }
    const wanted = 'a comparison is two; each change is one';
    assert.equal(state.statements, statements + 4, wanted);
  });

  test('a comparison takes back nothing that was announced meanwhile', async () => {
    const primary = createPrimarySource(db, constants);
    const sought = new Map<number, number>();
    const { opened: released, open: release } = createGate();
    const source: SnapshotSource = {
      ...primary,
      findChange: async (tenantId, since, version) => {
        sought.set(tenantId, version);
        await released;
        return primary.findChange(tenantId, since, version);
      },
    };
    const options = { db, source, ...shared, maxBytes: 64 * MEGABYTE, constants };
    const store = opened(createSnapshotStore(options));
    const others = slugs.slice(0, constants.maxRefreshes);
    const [slug = ''] = slugs.slice(constants.maxRefreshes);
    for (const one of [...others, slug]) await store.find(one, null);
    // As many as may be are being read: this one has to wait for its turn.
    for (const one of others) store.onVersion(await write(one));
    const notice = await write(slug);
    store.reconcile();
    store.onVersion({ ...notice, version: notice.version + 1 });
    await holds(() => sought.size === others.length);
    await nextTurn();
    release();
    await holds(() => sought.has(notice.tenant_id));
    assert.equal(sought.get(notice.tenant_id), notice.version + 1);
  });

  test('a menu that is rebuilt in a format of another version is served as it was', async () => {
    const [slug = ''] = slugs.slice(20);
    const { store, state } = createStore();
    const before = await store.find(slug, null);
    assert.ok(before);
    const { id: tenant_id } = before.tenant;
    await setVersion(database.url, tenant_id, before.version + 1);
    await database.sql(
      `update snapshots n set format = format + 1, version = t.version
      from tenants t where n.tenant_id = $1 and t.id = $1`,
      [tenant_id],
    );
    const { statements } = state;
    store.onVersion({ tenant_id, slug, version: before.version + 1 });
    await holds(() => state.statements > statements);
    // The writer gets the result, although this gateway cannot serve it.
    await store.whenServed(slug, before.version + 1);
    store.reconcile();
    await holds(() => state.statements > statements + 1);
    assert.equal(await store.find(slug, null), before);

    // A worker of our own version makes good what another has done.
    const version = Number(await db.transaction((tx) => publishVersion(tx, tenant_id)));
    store.onVersion({ tenant_id, slug, version });
    await holds(() => {
      const held = store.held(slug, null);
      assert.ok(held, 'it is never forgotten');
      return held.version === version;
    });
  });

  test('a tenant that is gone is forgotten', async () => {
    const doomed = generateRestaurant(5_000);
    const id = await db.transaction((tx) => plantRestaurant(tx, doomed));
    const { store } = createStore();
    await store.find(doomed.slug, null);
    for (const table of ['dishes', 'types', 'sections']) {
      await database.sql(`delete from ${table} where tenant_id = $1`, [id]);
    }
    await database.sql('delete from tenants where id = $1', [id]);
    store.reconcile();
    await holds(() => store.stats().snapshots === 0);
    assert.equal(await store.find(doomed.slug, null), null);
  });
});

describe('while Postgres is away', () => {
  test('however often a comparison is due, one that failed rests', async () => {
    const { store, state } = createStore(64 * MEGABYTE, { retryDelay: 600_000 });
    state.broken = true;
    store.reconcile();
    await holds(() => state.statements > 0);
    await nextTurn();
    const { statements } = state;
    for (let count = 0; count < 50; count += 1) {
      store.reconcile();
      await nextTurn();
    }
    assert.equal(state.statements, statements);
  });

  test('what is held is served, the rest is unavailable', async () => {
    const { store, state } = createStore();
    const held = await store.find(slug, null);
    state.broken = true;
    assert.equal(store.find(slug, null), held);
    await assert.rejects(Promise.resolve(store.find(slugs[1] ?? '', null)), UnavailableError);
    state.broken = false;
    assert.ok(await store.find(slugs[1] ?? '', null));
  });

  test('a refresh that failed is tried again', async () => {
    const { store, state } = createStore();
    await store.find(slug, null);
    const notice = await write(slug);
    state.broken = true;
    store.onVersion(notice);
    store.reconcile();
    const { statements } = state;
    await holds(() => state.statements > statements + 1);
    state.broken = false;
    await holds(() => isAt(store.find(slug, null), notice.version));
  });
});
