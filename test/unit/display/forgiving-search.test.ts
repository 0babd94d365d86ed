// The page's search finds the dish that a guest has misspelt: names of the demo's menus, with slips by a program.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../../../bench/load/random.ts';
import type { DemoDocument } from '../../../db/operator/demo/restaurant.ts';
import * as menus from '../../../db/operator/demo/restaurant.ts';
import { fold } from '../../../gateway/search/fold.js';
import { forgive, indexWords, slips } from '../../../gateway/search/forgiving.js';
import { each } from '../../support/each.ts';
import { seed } from '../../support/seed.ts';

const NAMES = 200;
/** Two slips from this length on, as the search allows them. */
const LONG = 8;
const LETTERS = 'abcdefghilmnoprstuvz';

/** One slip somewhere behind the first letter: a letter gone, one more, another one, or two swapped. */
function misspell(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letter = LETTERS[Math.floor(random() * LETTERS.length)] ?? 'a';
  const [head, one, two, rest] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)];
  const kinds = [`${head}${two}${rest}`, `${head}${letter}${one}${two}${rest}`];
  kinds.push(`${head}${letter}${two}${rest}`, `${head}${two}${one}${rest}`);
  return kinds[Math.floor(random() * kinds.length)] ?? word;
}

interface Searched {
  name: string;
  text: string;
}
const named = (name: string): Searched => ({ name, text: name });

/** The dishes of each menu that have an Italian name, as the page reads them. */
const dishesOf = ({ items }: DemoDocument): Searched[] =>
  items
    .map(({ name, description }) => {
      const own = fold(name.it ?? '');
      return { name: own, text: `${own} ${fold(description?.it ?? '')}` };
    })
    .filter(({ name }) => name !== '');

/** The lists of the demo's menus. */
const lists = Object.values(menus)
  .flat()
  .filter((menu) => typeof menu === 'object' && 'items' in menu)
  .map((menu) => dishesOf(menu as DemoDocument));

/** As the page: exact matches first, then those with the fewest slips. */
function search(query: string, dishes: readonly Searched[]): Searched[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const exact = dishes.filter(({ text }) => words.every((word) => text.includes(word)));
  if (exact.length > 0) return exact;
  const best = forgive(words, indexWords(dishes));
  return dishes.filter((_, number) => best.includes(number));
}

test('of 200 dish names with one or two slips, at least 95 % find their dish first', (t) => {
  const { next: random } = createRandom(7);
  const all = lists.flatMap((dishes) => dishes.map((dish) => ({ dish, dishes })));
  const missed: string[] = [];
  for (let turn = 0; turn < NAMES; turn += 1) {
    const { dish, dishes } = all[Math.floor(random() * all.length)] as (typeof all)[number];
    const words = dish.name.split(/[^\p{L}]+/u);
    // Guests type the word that says most.
    const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? '';
    let wrong = misspell(longest, random);
    if (longest.length > LONG && random() < 0.5) wrong = misspell(wrong, random);
    const query = dish.name.replace(longest, wrong);
    if (search(query, dishes)[0]?.name !== dish.name) missed.push(`${dish.name}: ${query}`);
  }
  const found = NAMES - missed.length;
  t.diagnostic(`${found} of ${NAMES} found first; missed: ${missed.join(' · ')}`);
  assert.ok(found >= 0.95 * NAMES, missed.join('\n'));
});

test('a search in 400 dishes finds them, whether it forgives or not', (t) => {
  const some = lists.flat();
  const dishes = Array.from({ length: 400 }, (_, at) => some[at % some.length] as Searched);
  const names = { carbonara: true, carbonarra: true, cabronarra: true, xylophonist: false };
  for (const [query, isFound] of Object.entries(names)) {
    assert.equal(search(query, dishes).length > 0, isFound, query);
    const rounds = 5;
    const begun = performance.now();
    for (let round = 0; round < rounds; round += 1) search(query, dishes);
    t.diagnostic(`${query}: ${((performance.now() - begun) / rounds).toFixed(2)} ms`);
  }
});

test('tiramiso and capuccino find what they mean, and short words forgive nothing', () => {
  const dishes = ['tiramisu', 'cappuccino', 'te', 'tre formaggi'].map(named);
  const names = (query: string) => search(query, dishes).map(({ name }) => name);
  assert.deepEqual(names('tiramiso'), ['tiramisu']);
  assert.deepEqual(names('capuccino'), ['cappuccino']);
  assert.deepEqual(names('tu'), []);
  assert.deepEqual(names('xyzxyz'), []);
});

test('slips are counted up to a bound: swapped letters are one, and a word may go on', () => {
  assert.equal(slips('pizaz', 'pizza', 2), 1);
  assert.equal(slips('carbn', 'carbonara', 2), 1);
  assert.equal(slips('gelato', 'risotto', 2), 3);
});

test('a word behind an apostrophe is forgiven, too', () => {
  const dishes = ["bucatini all'amatriciana", 'bucatini alla norma'].map(named);
  assert.deepEqual(each(search("all'amatricana", dishes), 'name'), ["bucatini all'amatriciana"]);
});

test('the index of words leads to the dishes that a comparison with each of their words finds', () => {
  const word = fc
    .array(fc.constantFrom(...'aeiorst'), { minLength: 1, maxLength: 10 })
    .map((letters) => letters.join(''));
  const texts = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const dish = fc.tuple(texts, texts).map(([name, more]) => ({ name, text: `${name}\n${more}` }));
  const menu = fc.array(dish, { maxLength: 8 });
  const slipsFor = (typed: string) => (typed.length < 4 ? 0 : typed.length < LONG ? 1 : 2);
  const costOf = (typed: string, text: string) => {
    const most = slipsFor(typed);
    const counts = text
      .split(/\s/)
      .map((one) => (one.includes(typed) ? 0 : slips(typed, one, most)));
    const least = Math.min(...counts);
    return least > most ? Number.POSITIVE_INFINITY : least;
  };
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 3 }), menu, (words, dishes) => {
      const costs = dishes.map(({ name, text }) => {
        const all = [...new Set(words)].map((typed) =>
          Math.min(costOf(typed, name), costOf(typed, text) + 0.5),
        );
        return all.reduce((sum, one) => sum + one, 0);
      });
      const least = Math.min(...costs);
      const expected = costs.flatMap((cost, at) => {
        return cost === least && least < Number.POSITIVE_INFINITY ? [at] : [];
      });
      assert.deepEqual(forgive(words, indexWords(dishes)), expected);
    }),
    { seed, numRuns: 500 },
  );
});
