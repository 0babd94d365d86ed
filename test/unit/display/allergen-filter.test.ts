// No dish that the page shows under an allergen filter has one of these allergens in the dish, or in
// options that a guest must choose with it. The oracle tries every way to choose.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { entriesOf } from '../../../db/runtime/keys.ts';
import { ALLERGEN_OF, allergenKinds, allergens, KINDS_OF } from '../../../db/schema/dictionary.ts';
import type { StoredDish } from '../../../db/schema/dish.ts';
import { factsOf } from '../../../db/snapshot/facts.ts';
import { writeFacts } from '../../../gateway/display/parts/dish.ts';
import { readFacts, verdict, withKinds } from '../../../gateway/search/avoid.js';

/** With one of the two allergens that have kinds. */
const KEYS = allergens.keys.slice(0, 4);
const KINDS = KINDS_OF.cereali_glutine.slice(0, 3);
const AVOIDED = [...KEYS, ...KINDS];
const keys = fc.subarray([...KEYS], { maxLength: 2 });

interface Group {
  min: number;
  options: { allergens: string[] | null; is_sold_out: boolean }[];
}
interface Dish {
  allergens: string[];
  traces: string[];
  allergen_detail: string[];
  allergens_declared: boolean;
  is_sold_out: boolean;
  modifier_group_ids: number[];
  courses: { choose: number; options: { item_id: number | null }[] }[];
}
interface Menu {
  groups: Group[];
  dishes: Dish[];
  menu: Dish;
}

/** A dish names kinds of an allergen that it has, and of no other. */
function withOwnKinds<D extends Pick<Dish, 'allergens' | 'traces' | 'allergen_detail'>>(dish: D) {
  const own = [...dish.allergens, ...dish.traces];
  const isOwn = (kind: string) => own.includes(ALLERGEN_OF.get(kind) ?? '');
  return { ...dish, allergen_detail: dish.allergen_detail.filter(isOwn) };
}

/** All that somebody may eat with a statement: an allergen that names no kind may be any of them. */
function possible(statement: readonly string[]): string[] {
  const open = entriesOf<string, readonly string[]>(KINDS_OF).filter(
    ([key, kinds]) => statement.includes(key) && !kinds.some((kind) => statement.includes(kind)),
  );
  return [...statement, ...open.flatMap(([, kinds]) => kinds)];
}

const choice = fc.record({ allergens: fc.option(keys), is_sold_out: fc.boolean() });
const group: fc.Arbitrary<Group> = fc.record({
  min: fc.nat(2),
  options: fc.array(choice, { minLength: 1, maxLength: 3 }),
});
const plain = fc.record({
  allergens: keys,
  traces: keys,
  allergen_detail: fc.subarray([...KINDS]),
  allergens_declared: fc.boolean(),
  is_sold_out: fc.boolean(),
  modifier_group_ids: fc.uniqueArray(fc.nat(2), { maxLength: 2 }),
});
const course = fc.record({
  choose: fc.integer({ min: 1, max: 2 }),
  options: fc.array(fc.record({ item_id: fc.option(fc.nat(2)) }), { minLength: 1, maxLength: 3 }),
});
const menus: fc.Arbitrary<Menu> = fc.record({
  groups: fc.array(group, { minLength: 3, maxLength: 3 }),
  dishes: fc.array(
    plain.map((dish) => ({ ...withOwnKinds(dish), courses: [] })),
    { minLength: 3, maxLength: 3 },
  ),
  menu: fc.tuple(plain, fc.array(course, { maxLength: 2 })).map(([dish, courses]) => ({
    ...withOwnKinds(dish),
    courses,
  })),
});

/** Every way to choose so many of a list, none twice. */
function ways<T>(list: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return list.flatMap((one, at) =>
    ways(list.slice(at + 1), count - 1).map((rest) => [one, ...rest]),
  );
}

/** The statements of all that a guest eats, for each way to choose; null for an unknown one. */
type Meal = (readonly string[] | null)[];

const combine = (left: Meal[], right: Meal[]) =>
  left.flatMap((one) => right.map((other) => [...one, ...other]));

function meals(menu: Menu, dish: Dish): Meal[] {
  const isSum =
    dish.courses.length > 0 &&
    dish.courses.every(({ options }) => options.every(({ item_id }) => item_id !== null));
  const stated = [...dish.allergens, ...dish.traces, ...dish.allergen_detail];
  const own = dish.allergens_declared || isSum ? possible(stated) : null;
  let all: Meal[] = [[own]];
  for (const id of dish.modifier_group_ids) {
    const { min, options } = menu.groups[id] as Group;
    const there = options.filter((option) => !option.is_sold_out);
    const stated = there.map((one) => one.allergens && possible(one.allergens));
    all = combine(all, ways(stated, min));
  }
  for (const { choose, options } of dish.courses) {
    const there = options.filter(({ item_id: id }) => id === null || !menu.dishes[id]?.is_sold_out);
    const chosen = ways(there, choose).flatMap((some) =>
      some.reduce<Meal[]>(
        (before, { item_id: id }) =>
          combine(before, id === null ? [[[]]] : meals(menu, menu.dishes[id] as Dish)),
        [[]],
      ),
    );
    all = combine(all, chosen);
  }
  return all;
}

test('a dish is shown exactly when a guest can eat it without the allergens that they avoid', () => {
  fc.assert(
    fc.property(menus, fc.subarray([...AVOIDED], { minLength: 1 }), (menu, avoided) => {
      const facts = factsOf(menu.menu as unknown as StoredDish, (resource, id) => {
        return (resource === 'items' ? menu.dishes : menu.groups)[id as number] as never;
      });
      const keys: readonly string[] = [...allergens.keys, ...allergenKinds.keys];
      const numberOf = (key: string) => keys.indexOf(key) + 1;
      const kinds = entriesOf<string, readonly string[]>(KINDS_OF);
      const numbers = kinds.map(([key, own]) => [numberOf(key), own.map(numberOf)] as const);
      // As the page gets it: in an attribute, with numbers.
      const written = JSON.parse(JSON.stringify(writeFacts(facts, numberOf)));
      const read = withKinds(readFacts(written), numbers);
      const found = verdict(read, new Set(avoided.map(numberOf)));
      const said = verdict(withKinds(facts, kinds), new Set(avoided));
      assert.equal(found, said, 'the API says the same');
      const isSafe = (one: readonly string[] | null) =>
        one !== null && !one.some((key) => (avoided as readonly string[]).includes(key));
      const isShown = found === 'fine' || found === 'extra';
      const areSafe = meals(menu, menu.menu).map((meal) => meal.every(isSafe));
      assert.equal(isShown, areSafe.includes(true));
      if (found === 'fine') assert.ok(!areSafe.includes(false), 'whatever is chosen');
    }),
    { numRuns: 2_000 },
  );
});
