// The truth about allergens: what /items shows to guests who avoid some, over random menus.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { publishVersion } from '../../../db/menu/new-version.ts';
import { allergens, dishLabels } from '../../../db/schema/dictionary.ts';
import type { Dish } from '../../../db/schema/dish.ts';
import { remainingDishes } from '../../../gateway/analytics/reports/items.ts';
import { loadMenuFacts } from '../../../gateway/analytics/reports/report.ts';
import { menuService } from '../../support/menu-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { often } from '../../support/thorough.ts';
import { until } from '../../support/until.ts';

/** How many menus are tried, and how many choices of a guest on each. */
const MENUS = often(15, 150);
const CHOICES = 4;
const DISHES = 12;

/** A dish as it is stored. */
interface Stored {
  allergens: string[];
  contains_none: boolean;
  traces: string[];
  labels: string[];
  is_recommended: boolean;
  is_active: boolean;
}

// Few keys, so that dishes and choices often meet.
const KEYS = allergens.keys.slice(0, 4);
const LABELS = dishLabels.keys.slice(0, 3);
const keys = fc.subarray([...KEYS]);
const dish = fc
  .record({
    declared: keys,
    contains_none: fc.boolean(),
    possible: keys,
    labels: fc.subarray([...LABELS]),
    is_recommended: fc.boolean(),
    is_active: fc.boolean(),
  })
  .map(
    ({ declared, contains_none, possible, ...rest }): Stored => ({
      ...rest,
      allergens: declared,
      contains_none: contains_none && declared.length === 0,
      traces: possible.filter((key) => !declared.includes(key)),
    }),
  );
const choice = fc.record({
  avoided: fc.subarray([...KEYS], { minLength: 1 }),
  labels: fc.subarray([...LABELS]),
  is_recommended: fc.constantFrom(undefined, true, false),
  section: fc.constantFrom(undefined, 0, 1),
});
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never;

const dishes = Array.from({ length: DISHES / 2 }, () => dishOf('Piatto'));
const halves = ['Prima', 'Seconda'].map((name) => sectionOf(name, dishes));
const service = await menuService([restaurantOf('osteria', halves)]);
const rows = await service.sql('select id from sections order by id');
const sections = rows.map(({ id }) => id);

/** Gives the restaurant's dishes these fields, and returns when they are served. */
async function serve(stored: readonly Stored[], run: number): Promise<void> {
  const { db, tenantId, client } = service;
  const name = JSON.stringify({ it: `Menù ${run}` });
  await service.sql(
    `with numbered as (select id, row_number() over (order by id) as place from dishes)
     update dishes d set allergens = n.allergens, contains_none = n.contains_none,
       traces = n.traces, labels = n.labels, is_recommended = n.is_recommended,
       is_active = n.is_active
     from numbered join jsonb_populate_recordset(null::dishes, $1) with ordinality n
       on n.ordinality = numbered.place
     where d.id = numbered.id`,
    [JSON.stringify(stored)],
  );
  await service.sql('update sections set name = $1', [name]);
  await db.transaction((tx) => publishVersion(tx, tenantId));
  await until('the menu is not served', async () => {
    const { data } = (await client.get('/categories')).json;
    return data[0].name === `Menù ${run}`;
  });
}

function queryOf({ avoided, labels, is_recommended, section }: Choice): string {
  const query = new URLSearchParams({ exclude_allergens: avoided.join(','), per_page: '100' });
  if (labels.length > 0) query.set('labels', labels.join(','));
  if (is_recommended !== undefined) query.set('is_recommended', String(is_recommended));
  if (section !== undefined) query.set('category_id', String(sections[section]));
  return `?${query}`;
}

const isActive = ({ is_active }: Stored) => is_active;
const isDeclared = (dish: Stored) => dish.contains_none || dish.allergens.length > 0;

async function check(stored: readonly Stored[], chosen: Choice): Promise<void> {
  const query = queryOf(chosen);
  const { data, meta } = (await service.client.get(`/items${query}`)).json;
  for (const dish of data as Dish[]) {
    const said = `${query} shows ${JSON.stringify(dish)}`;
    assert.equal(dish.allergens_declared, true, said);
    for (const key of chosen.avoided) {
      assert.ok(!dish.allergens.includes(key) && !dish.traces.includes(key), said);
    }
    for (const label of chosen.labels) assert.ok(dish.labels.includes(label), said);
  }
  const half = stored.length / 2;
  const isWanted = (dish: Stored, index: number) =>
    dish.is_active &&
    chosen.labels.every((label) => dish.labels.includes(label)) &&
    (chosen.is_recommended === undefined || dish.is_recommended === chosen.is_recommended) &&
    (chosen.section === undefined || Math.floor(index / half) === chosen.section);
  const wanted = stored.filter(isWanted);
  const safe = wanted.filter(
    (dish) =>
      isDeclared(dish) &&
      chosen.avoided.every((key) => !dish.allergens.includes(key) && !dish.traces.includes(key)),
  );
  const undeclared = wanted.filter((dish) => !isDeclared(dish)).length;
  assert.deepEqual([meta.total, data.length], [safe.length, safe.length], query);
  assert.equal(meta.undeclared, undeclared, query);
}

test(`no dish of ${MENUS} menus is shown to guests who must avoid it`, async () => {
  let run = 0;
  const menus = fc.array(dish, { minLength: DISHES, maxLength: DISHES });
  const choices = fc.array(choice, { minLength: CHOICES, maxLength: CHOICES });
  await fc.assert(
    fc.asyncProperty(menus, choices, async (stored, chosen) => {
      run += 1;
      await serve(stored, run);
      for (const one of chosen) await check(stored, one);
      const facts = await loadMenuFacts(service.db, service.tenantId);
      for (const key of KEYS) {
        const query = `?exclude_allergens=${key}`;
        const { total } = (await service.client.get(`/items${query}`)).json.meta;
        assert.equal(remainingDishes(facts, key), total, `the report on ${key}`);
      }
      assert.equal(facts.visibleDishes.length, stored.filter(isActive).length);
    }),
    { numRuns: MENUS },
  );
  assert.ok(run >= MENUS);
});

test('an unknown allergen or label is refused, and an empty list excludes nothing', async () => {
  const { client } = service;
  (await client.get('/items?exclude_allergens=lattice')).refuses('exclude_allergens');
  (await client.get('/items?exclude_allergens=latte,%00')).refuses('exclude_allergens');
  (await client.get('/items?labels=vegan,buono')).refuses('labels');
  const { total } = (await client.get('/items')).json.meta;
  for (const query of ['exclude_allergens=', 'exclude_allergens=,%20,', 'labels=']) {
    const { meta } = (await client.get(`/items?${query}`)).json;
    assert.equal(meta.total, total);
    assert.ok(!('undeclared' in meta));
  }
  const spaced = (await client.get('/items?exclude_allergens=%20latte%20,latte')).json.meta;
  const plain = (await client.get('/items?exclude_allergens=latte')).json.meta;
  assert.equal(spaced.total, plain.total);
});
