import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../db/connection.ts';
import { pizzeria } from '../db/demo/pizzeria.ts';
import { trattoria } from '../db/demo/trattoria/index.ts';
import { loadMenu, type StoredMenu } from '../db/queries/load-menu.ts';
import { LOCALES } from '../db/records/locale.ts';
import { buildPacks } from '../db/snapshot/build.ts';
import { fold } from '../db/snapshot/fold.ts';
import { openPack } from '../db/snapshot/pack.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { openDatabase, plant } from './support/restaurant.ts';

const builtAt = new Date('2026-11-21T12:34:56.789Z');

let database: TestDatabase;
let db: Database;
let menu: StoredMenu;

before(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.url);
  menu = await loadMenu(db, await plant(db, trattoria));
});
after(async () => {
  await db.end();
  await database.drop();
});

/** Every property of every object, in the opposite order. */
function reversedKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversedKeys) as T;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversedKeys(inner)])) as T;
}

test('the same menu, version and time give the same bytes', async () => {
  const first = await buildPacks(menu, builtAt);
  const again = await buildPacks(await loadMenu(db, menu.settings.id), builtAt);
  assert.deepEqual([...first.keys()], [...LOCALES]);
  for (const [locale, pack] of first) assert.ok(again.get(locale)?.equals(pack), locale);
});

test('another time changes generated_at and nothing else of the answers', async () => {
  const read = async (time: Date) => {
    const packs = await buildPacks(menu, time);
    return JSON.parse(String(openPack(packs.get('it') as Buffer).bodies.menu?.identity));
  };
  const first = await read(builtAt);
  const later = await read(new Date(builtAt.getTime() + 60_000));
  assert.equal(first.meta.generated_at, '2026-11-21T12:34:56+00:00');
  assert.equal(later.meta.generated_at, '2026-11-21T12:35:56+00:00');
  assert.deepEqual({ ...later, meta: first.meta }, first);
});

test('the order of stored translations does not matter', async () => {
  const shuffled = { ...menu, dishes: menu.dishes.map(reversedKeys) };
  const first = openPack((await buildPacks(menu, builtAt)).get('en') as Buffer);
  const second = openPack((await buildPacks(shuffled, builtAt)).get('en') as Buffer);
  assert.equal(first.bodies.menu?.etag, second.bodies.menu?.etag);
});

test('only the served locales are built, and Italian always', async () => {
  const german = await loadMenu(db, await plant(db, pizzeria));
  const only = { ...german.settings, supported_locales: ['de' as const] };
  const packs = await buildPacks({ ...german, settings: only }, builtAt);
  assert.deepEqual([...packs.keys()], ['it', 'de']);
});

test('a pack opens to dishes and sections that are ranges of its bodies', async () => {
  const snapshot = openPack((await buildPacks(menu, builtAt)).get('it') as Buffer);
  assert.equal(snapshot.version, menu.version);
  const shown = JSON.parse(String(snapshot.bodies.menu?.identity)).data.sections;
  const items = shown.flatMap((section: { items: unknown[] }) => section.items);
  assert.deepEqual(
    snapshot.dishes.map(({ json }) => JSON.parse(String(json))),
    items,
  );
  for (const [id, json] of snapshot.sections) assert.equal(JSON.parse(String(json)).id, id);
  const buffer = snapshot.bodies.menu?.identity.buffer;
  assert.ok(
    snapshot.dishes.every(({ json }) => json.buffer === buffer),
    'nothing is copied',
  );
});

test('folding takes case, accents and ligatures away', () => {
  assert.equal(
    fold('TIRAMISÙ Crème Straße Œuf Æble Łódź ÎLE'),
    'tiramisu creme strasse oeuf aeble lodz ile',
  );
});
