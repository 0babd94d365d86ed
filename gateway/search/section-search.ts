import { certain } from '../../db/runtime/certain.ts';
import { memoizeWeakly } from '../../db/runtime/memoize.ts';
import type { Dish } from '../../db/schema/dish.ts';
import type { DishPart, SectionPart } from '../../db/snapshot/parts.ts';
import { type BigramIndex, candidates, indexBigrams, measureIndex } from './bigram-index.ts';
import { foldText, hasWords } from './fold.js';
import { forgive, indexWords } from './forgiving.js';

/** The searched texts of a section's dishes, folded. */
interface SearchTexts {
  texts: readonly string[];
  /** Undefined where the dishes are too few for one. */
  index: BigramIndex | undefined;
}

/** Made when a section is searched first; the versions that share its dishes share them. */
const searchTexts = new WeakMap<readonly DishPart[], SearchTexts>();

/** All that guests search for in a dish: its texts, its sizes, and what they know of a wine. */
function searchedText(dish: Dish): string {
  const { name, description, code, vintage, grapes, denomination, variants, winery } = dish;
  const sizes = variants.map(({ label }) => label);
  const maker = winery && [winery.name, winery.region, winery.country];
  const more = [code, vintage, grapes, denomination, ...sizes, ...(maker ?? [])];
  return [name, description, ...more.filter(Boolean)].join('\n');
}

function textsOf({ json, dishes: list }: SectionPart): SearchTexts {
  const dishes = list.all();
  const known = searchTexts.get(dishes);
  if (known) return known;
  const texts = dishes.map(({ start, end }) => {
    return foldText(searchedText(JSON.parse(json.toString('utf8', start, end))));
  });
  const read = { texts, index: indexBigrams(texts) };
  searchTexts.set(dishes, read);
  return read;
}

/** Of a menu's sections, made by the first search in them that forgives. */
const wordsOf = memoizeWeakly((sections: readonly SectionPart[]) => {
  const texts = sections.flatMap((section) => textsOf(section).texts);
  return indexWords(texts.map((text) => ({ text, name: text.slice(0, text.indexOf('\n')) })));
});

/**
 * For each wanted section its dishes that fit words best which no dish has as they are typed.
 *
 * @param menu all sections of the menu
 */
export function searchForgiving(
  menu: readonly SectionPart[],
  wanted: readonly SectionPart[],
  words: readonly (readonly string[])[],
): DishPart[][] {
  const typed = words.flatMap(([form]) => form ?? []);
  const ranges = new Map<SectionPart, readonly [first: number, end: number]>();
  let count = 0;
  for (const section of menu) {
    ranges.set(section, [count, count + section.dishes.length]);
    count += section.dishes.length;
  }
  const rangeOf = (section: SectionPart) =>
    certain(ranges.get(section), 'a wanted section is not on the menu');
  const best = forgive(typed, wordsOf(menu), wanted.map(rangeOf));
  return wanted.map((section) => {
    const [first, end] = rangeOf(section);
    const own = best.filter((number) => number >= first && number < end);
    return own.map((number) => section.dishes.all()[number - first] as DishPart);
  });
}

/** Bytes for each letter: of the text itself, which is Latin for most menus, and of the words in it. */
const BYTES_PER_LETTER = 3;

/**
 * Memory that a section's texts take once it has been searched, in bytes.
 *
 * @param textLength of the texts in the locale, in characters
 */
export function measureSearchTexts(textLength: number, dishes: number): number {
  return textLength * BYTES_PER_LETTER + measureIndex(dishes);
}

/**
 * The dishes of a section whose texts have each of the words, in their order.
 *
 * @param words of `foldWords`
 * @param rows what `soughtRows` gives for them
 */
export function searchSection(
  section: SectionPart,
  words: readonly (readonly string[])[],
  rows: readonly number[],
): readonly DishPart[] {
  if (words.length === 0) return section.dishes.all();
  const { texts, index } = textsOf(section);
  const isNarrowed = index !== undefined && rows.length > 0;
  const numbers = isNarrowed ? candidates(index, texts.length, rows) : texts.keys();
  const dishes = section.dishes.all();
  const found: DishPart[] = [];
  for (const number of numbers) {
    const text = texts[number] as string;
    if (hasWords(text, words)) found.push(dishes[number] as DishPart);
  }
  return found;
}
