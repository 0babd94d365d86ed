// A worker that has not built a menu builds those of its sections anew that are not stored as they
// would be now. Each other one must be stored as it would be built.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { inOneGo } from '../../../db/runtime/in-slices.ts';
import { buildOnStored, storedAs } from '../../../db/snapshot/build.ts';
import { loadMenu, type StoredMenu } from '../../../db/sql/menus.ts';
import { buildMenu } from '../../support/build-menu.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { plant } from '../../support/restaurant.ts';

const { db } = await ownDatabase();
const menu = await loadMenu(db, await plant(db, trattoria));
const at = new Date('2026-11-21T12:00:00Z');
const hourLater = new Date('2026-11-21T13:00:00Z');

/** Builds a menu on a stored one, and returns how many sections it left as they were stored. */
function assertBuilt(before: StoredMenu, after: StoredMenu, builtAt = at): number {
  const { head, sections } = inOneGo(buildOnStored(after, builtAt, storedAs(before, at)));
  const [former, fresh] = [buildMenu(before, at), buildMenu(after, builtAt)];
  assert.deepEqual(head, fresh.head);
  let left = 0;
  for (const [id, section] of sections) {
    const expected = fresh.sections.get(id)?.template;
    const isLeft = !('template' in section);
    if (isLeft) left += 1;
    assert.deepEqual(isLeft ? former.sections.get(id)?.template : section.template, expected);
  }
  return left;
}

const count = buildMenu(menu, at).sections.size;
const [dish, section] = [menu.dishes[0], menu.sections[0]];
const winery = menu.wineries.find(({ id }) => menu.dishes.some((one) => one.winery_id === id));
assert.ok(dish && section && winery);

const withDish = (fields: object): StoredMenu => ({
  ...menu,
  dishes: menu.dishes.map((one) => (one === dish ? { ...one, ...fields } : one)),
});

test('a menu that is as it was is left as it is stored', () => {
  assert.equal(assertBuilt(menu, { ...menu, version: menu.version + 1 }), count);
});

test('a section is built whose dish has another price, and no other one', () => {
  assert.equal(assertBuilt(menu, withDish({ price: 99 })), count - 1);
});

test('a section is built whose dish appears or leaves at a moment in between', () => {
  const from = withDish({ visible_from: '2026-11-21T12:30:00Z' });
  assert.equal(assertBuilt(from, from, hourLater), count - 1);
  const until = withDish({ visible_until: '2026-11-21T12:30:00Z' });
  assert.equal(assertBuilt(until, until, hourLater), count - 1);
});

test('sections are built that show a record which has changed or is gone', () => {
  const others = menu.wineries.filter((one) => one !== winery);
  assert.ok(assertBuilt(menu, { ...menu, wineries: others }) < count);
  const renamed = [...others, { ...winery, region: 'Carso' }].sort((a, b) => a.id - b.id);
  assert.ok(assertBuilt(menu, { ...menu, wineries: renamed }) < count);
  assert.ok(assertBuilt(menu, { ...menu, types: menu.types.slice(1) }) < count);
});

test('sections are built anew where the languages of the restaurant change', () => {
  const settings = { ...menu.settings, default_locale: 'de' as const };
  assert.equal(assertBuilt(menu, { ...menu, settings }), 0);
  const fewer = { ...menu.settings, supported_locales: ['it' as const] };
  assert.equal(assertBuilt(menu, { ...menu, settings: fewer }), 0);
});

test('a section that is gone or moves leaves the others as they are stored', () => {
  const sections = menu.sections.filter((one) => one !== section);
  assert.ok(assertBuilt(menu, { ...menu, sections }) > 0);
  assert.equal(assertBuilt(menu, { ...menu, sections: menu.sections.toReversed() }), count);
});
