import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { inOneGo } from '../../../db/runtime/in-slices.ts';
import type { Dish } from '../../../db/schema/dish.ts';
import { LOCALES, type Locale } from '../../../db/schema/values/locale.ts';
import { assembleInSteps } from '../../../db/snapshot/assemble.ts';
import type { BuiltMenu, NextMenu } from '../../../db/snapshot/build.ts';
import { BODY_NAMES, headIn, type Snapshot } from '../../../db/snapshot/parts.ts';
import { rebuildMenu } from '../../../db/snapshot/rebuild.ts';
import {
  decodeTemplates,
  encodeTemplate,
  type SectionTemplate,
  type SnapshotSection,
} from '../../../db/snapshot/template.ts';
import { loadMenu, type StoredMenu } from '../../../db/sql/menus.ts';
import { type StoredSnapshot, TEMPLATE_SEPARATOR } from '../../../db/sql/snapshots.ts';
import { createSnapshotCache } from '../../../gateway/snapshots/cache.ts';
import { buildMenu } from '../../support/build-menu.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { plant } from '../../support/restaurant.ts';
import { storedIn } from '../../support/stored-menu.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const builtAt = new Date('2026-11-21T12:34:56.789Z');

const database = await ownDatabase();
const { db } = database;

const menu = await loadMenu(db, await plant(db, trattoria));

/** The templates of sections that have been through the database. */
function templatesOf(sections: BuiltMenu['sections']): ReadonlyMap<number, SectionTemplate> {
  const stored = [...sections.values()].map(({ template }) => encodeTemplate(template));
  return decodeTemplates([stored.join(TEMPLATE_SEPARATOR)]);
}

/** The snapshot that a gateway makes of a built menu. */
function open({ head, sections }: BuiltMenu, locale: Locale): Snapshot {
  return inOneGo(assembleInSteps(headIn(head, locale), templatesOf(sections)));
}

function bodiesOf(snapshot: Snapshot) {
  return BODY_NAMES.map((name) => snapshot.body(name));
}

function shownDishes(snapshot: Snapshot): Dish[] {
  const { data } = JSON.parse(String(snapshot.body('menu')?.identity));
  return data.sections.flatMap(({ items }: { items: Dish[] }) => items);
}

/** Every property of every object, in the opposite order. */
function reversedKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversedKeys) as T;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversedKeys(inner)])) as T;
}

test('the same menu, version and time give the same bytes', async () => {
  const first = buildMenu(menu, builtAt);
  const again = buildMenu(await loadMenu(db, menu.settings.id), builtAt);
  assert.deepEqual(first.head.locales, [...LOCALES]);
  for (const locale of LOCALES) {
    const [one, other] = [open(first, locale), open(again, locale)];
    assert.deepEqual(bodiesOf(one), bodiesOf(other));
  }
});

test('another time changes generated_at and nothing else of the answers', () => {
  const read = (time: Date) =>
    JSON.parse(String(open(buildMenu(menu, time), 'it').body('menu')?.identity));
  const first = read(builtAt);
  const later = read(new Date(builtAt.getTime() + 60_000));
  assert.equal(first.meta.generated_at, '2026-11-21T12:34:56+00:00');
  assert.equal(later.meta.generated_at, '2026-11-21T12:35:56+00:00');
  assert.deepEqual({ ...later, meta: first.meta }, first);
});

test('the order of stored translations does not matter', () => {
  const shuffled = { ...menu, dishes: menu.dishes.map(reversedKeys) };
  const [first, second] = [buildMenu(menu, builtAt), buildMenu(shuffled, builtAt)];
  assert.equal(open(first, 'en').body('menu')?.etag, open(second, 'en').body('menu')?.etag);
});

test('only the served locales are built, and Italian always', async () => {
  const german = await loadMenu(db, await plant(db, pizzeria));
  const only = { ...german.settings, supported_locales: ['de' as const] };
  assert.deepEqual(buildMenu({ ...german, settings: only }, builtAt).head.locales, ['it', 'de']);
});

test('a snapshot has dishes and sections that are ranges of its bodies', () => {
  const snapshot = open(buildMenu(menu, builtAt), 'it');
  assert.equal(snapshot.head.version, menu.version);
  const shown = JSON.parse(String(snapshot.body('menu')?.identity)).data.sections;
  const dishes = snapshot.sections.flatMap(({ dishes, json }) =>
    dishes.all().map(({ start, end }) => JSON.parse(String(json.subarray(start, end)))),
  );
  assert.deepEqual(dishes, shownDishes(snapshot));
  assert.equal(snapshot.branches().size, shown.length);
  for (const [id, json] of snapshot.branches()) assert.equal(JSON.parse(String(json)).id, id);
  const buffer = snapshot.body('menu')?.identity.buffer;
  const isShared = snapshot.sections.every(({ json }) => json.buffer === buffer);
  assert.ok(isShared, 'nothing is copied');
});

/** The menu with many times its dishes: a megabyte in each language. */
function largeMenu(): StoredMenu {
  const dishes = Array.from({ length: 50 }, (_, copy) =>
    menu.dishes.map((dish) => ({ ...dish, id: dish.id + copy * 10_000 })),
  );
  return { ...menu, dishes: dishes.flat() };
}

test('a large menu is rebuilt in slices, between which others have the event loop', async () => {
  const work = rebuildMenu(largeMenu(), builtAt);
  assert.ok((await turnsDuring(work)) >= 2);
  const count = ({ sections }: NextMenu) =>
    [...sections.values()].reduce((sum, { stored }) => sum + stored.length, 0);
  assert.equal(count((await work).built), 50 * count(buildMenu(menu, builtAt)));
});

test('a gateway brings a large menu to a new version in slices, and serves the old one meanwhile', async () => {
  const storedAs = (version: number): StoredSnapshot => {
    const { head, sections } = buildMenu({ ...largeMenu(), version }, builtAt);
    const templates = [...sections.values()].map(({ template }) => encodeTemplate(template));
    return {
      ...storedIn('it', version, 'it'),
      ...{ slug: 'grande', supported_locales: [...LOCALES], head },
      templates: [templates.join(TEMPLATE_SEPARATOR)],
    };
  };
  const cache = createSnapshotCache(1_000_000_000);
  const before = cache.keep(storedAs(5)).served();
  const change = storedAs(6);
  const renewal = cache.renew(change, 5);
  assert.equal(cache.find('grande', 'it')?.served(), before);
  assert.ok((await turnsDuring(renewal)) >= 2);
  const after = cache.find('grande', 'it');
  assert.equal(after?.version, 6);
  assert.equal(after?.wasServed(), false);
  assert.deepEqual(after?.served().body('menu'), before.body('menu'));
});

describe('a version built on the one before', () => {
  const [dish] = trattoria.items;
  const changedSince = ({ sections }: BuiltMenu, after: BuiltMenu) =>
    new Map([...after.sections].filter(([id, one]) => sections.get(id) !== one));

  test('takes over the parts of everything that has stayed the same', () => {
    const before = buildMenu(menu, builtAt);
    const changed = menu.dishes.find(({ name_translations: { it } }) => it === dish?.name.it);
    assert.ok(changed);
    const dishes = menu.dishes.map((one) => (one === changed ? { ...one, price: 99 } : one));
    const after = buildMenu({ ...menu, version: menu.version + 1, dishes }, builtAt, before);
    const built = [...changedSince(before, after).keys()];
    assert.deepEqual(built, [changed.category_id]);
  });

  test('is the same as one that is built from nothing', () => {
    const [section, winery] = [menu.sections[3], menu.wineries[0]];
    assert.ok(section && winery);
    const steps: StoredMenu[] = [
      { ...menu, dishes: menu.dishes.slice(5) },
      { ...menu, sections: menu.sections.filter((one) => one !== section) },
      { ...menu, sections: menu.sections.toReversed() },
      { ...menu, wineries: menu.wineries.map((one) => ({ ...one, region: 'Carso' })) },
      { ...menu, wineries: menu.wineries.filter((one) => one !== winery) },
      { ...menu, types: menu.types.slice(2) },
      { ...menu, settings: { ...menu.settings, default_locale: 'de' } },
      { ...menu, settings: { ...menu.settings, supported_locales: ['it', 'en'] } },
      menu,
    ];
    let before = buildMenu(menu, builtAt);
    let held = new Map<Locale, Snapshot>(LOCALES.map((locale) => [locale, open(before, locale)]));
    for (const step of steps) {
      const after = buildMenu(step, builtAt, before);
      const fresh = buildMenu(step, builtAt);
      const next = new Map<Locale, Snapshot>();
      const changed = changedSince(before, after);
      for (const locale of after.head.locales) {
        const known = held.get(locale)?.sections ?? [];
        const sections = new Map<number, SnapshotSection>(known.map((part) => [part.id, part]));
        for (const [id, template] of templatesOf(changed)) sections.set(id, template);
        const snapshot = inOneGo(assembleInSteps(headIn(after.head, locale), sections));
        assert.deepEqual(bodiesOf(snapshot), bodiesOf(open(fresh, locale)));
        next.set(locale, snapshot);
      }
      before = after;
      held = next;
    }
  });
});

test('texts of every kind come through the gaps as they are', () => {
  const odd = ['\x1f', '\x1e\x1d\x1c', '"name":"\\u001f"', '\\', '\n', '👩‍🍳', '\u2028', '\ud800'];
  for (const [index, it] of odd.entries()) {
    const [en, dish] = [odd[(index + 1) % odd.length] as string, menu.dishes[index]];
    assert.ok(dish);
    const texts = { name_translations: { it, en }, description_translations: { en } };
    const dishes = menu.dishes.map((one) => (one === dish ? { ...one, ...texts } : one));
    const built = buildMenu({ ...menu, dishes }, builtAt);
    for (const [locale, name] of Object.entries({ it, en }) as [Locale, string][]) {
      const items = shownDishes(open(built, locale));
      const shown: Dish | undefined = items.find(({ id }) => id === dish.id);
      // Half a sign has no place in UTF-8.
      const sent = (text: string) => Buffer.from(text).toString();
      assert.equal(sent(shown?.name ?? ''), sent(name));
      assert.equal(sent(shown?.description ?? ''), sent(en));
    }
  }
});
