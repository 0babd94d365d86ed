import type { DishPart, SectionPart } from '../../db/snapshot/parts.ts';
import { type BigramIndex, candidates, indexBigrams, measureIndex } from './bigram-index.ts';
import { fold } from './fold.js';

/** The searched texts of a section: the folded name and description of each dish. */
interface SearchTexts {
  texts: readonly string[];
  /** Undefined where the dishes are too few for one. */
  index: BigramIndex | undefined;
}

/** Made when a section is searched first; the versions that share its dishes share them. */
const searchTexts = new WeakMap<readonly DishPart[], SearchTexts>();

function textsOf({ json, dishes }: SectionPart): SearchTexts {
  const known = searchTexts.get(dishes);
  if (known) return known;
  const texts = dishes.map(({ start, end }) => {
    const { name, description } = JSON.parse(json.toString('utf8', start, end));
    return fold(`${name}\n${description}`);
  });
  const read = { texts, index: indexBigrams(texts) };
  searchTexts.set(dishes, read);
  return read;
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
 * The dishes of a section whose name or description has each of the words, in their order.
 *
 * @param words folded
 * @param rows what `soughtRows` gives for them
 */
export function searchSection(
  section: SectionPart,
  words: readonly string[],
  rows: readonly number[],
): readonly DishPart[] {
  if (words.length === 0) return section.dishes;
  const { texts, index } = textsOf(section);
  const isNarrowed = index !== undefined && rows.length > 0;
  const numbers = isNarrowed ? candidates(index, texts.length, rows) : texts.keys();
  const found: DishPart[] = [];
  for (const number of numbers) {
    const text = texts[number] as string;
    if (words.every((word) => text.includes(word))) found.push(section.dishes[number] as DishPart);
  }
  return found;
}
