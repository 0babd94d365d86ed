import type { Dish } from '../../db/schema/dish.ts';
import type { DishPart, SectionPart } from '../../db/snapshot/parts.ts';
import { type BigramIndex, candidates, indexBigrams, measureIndex } from './bigram-index.ts';
import { foldText, hasWords } from './fold.js';
import { forgive } from './forgiving.js';

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

/** The dishes of sections that fit words best which no dish has as they are typed. */
export function searchForgiving(
  sections: readonly SectionPart[],
  words: readonly (readonly string[])[],
): ReadonlySet<DishPart> {
  const typed = words.flatMap(([form]) => form ?? []);
  const dishes = sections.flatMap((section) => {
    const { texts } = textsOf(section);
    return section.dishes.all().map((part, at) => {
      const text = texts[at] as string;
      return { part, text, name: text.slice(0, text.indexOf('\n')) };
    });
  });
  return new Set([...forgive(typed, dishes)].map(({ part }) => part));
}

/**
 * Memory that a section's texts take once it has been searched, in bytes.
 *
 * @param textLength of the texts in the locale, in characters
 */
export function measureSearchTexts(textLength: number, dishes: number): number {
  return textLength * 2 + measureIndex(dishes);
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
