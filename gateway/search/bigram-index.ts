/** Rows of an index: the bigrams of a dish's text fill about an eighth of them. */
const ROWS = 512;
/** Dishes that one number of a row stands for, a bit each. */
const GROUP = 32;

/** The memory of an index beside its rows, in bytes: the array and the map's entry. */
const OVERHEAD = 200;

/** Which dishes of a section have which pairs of neighbouring letters, a row of bits for each. */
export type BigramIndex = Int32Array;

/** Dishes of a section from which on an index is worth its memory: fewer are searched as soon. */
const FEWEST_DISHES = 16;

/** Memory that the index of a section with so many dishes takes, in bytes; 0 without one. */
export function measureIndex(dishes: number): number {
  if (dishes < FEWEST_DISHES) return 0;
  return OVERHEAD + ROWS * Math.ceil(dishes / GROUP) * Int32Array.BYTES_PER_ELEMENT;
}

/** Pairs share rows: letters of a language lie close together, and an odd factor spreads them. */
function rowOf(text: string, at: number): number {
  return (text.charCodeAt(at) * 23 + text.charCodeAt(at + 1)) & (ROWS - 1);
}

/** @param texts folded, of a section's dishes; undefined when they are too few for an index */
export function indexBigrams(texts: readonly string[]): BigramIndex | undefined {
  if (texts.length < FEWEST_DISHES) return undefined;
  const groups = Math.ceil(texts.length / GROUP);
  const index = new Int32Array(ROWS * groups);
  for (const [number, text] of texts.entries()) {
    const group = Math.floor(number / GROUP);
    const bit = 1 << (number % GROUP);
    for (let at = 0; at < text.length - 1; at += 1) {
      const cell = rowOf(text, at) * groups + group;
      index[cell] = (index[cell] ?? 0) | bit;
    }
  }
  return index;
}

/**
 * The rows in which a dish must be that has all the words.
 *
 * @param words folded; one of a single letter has no pair and no row
 */
export function soughtRows(words: readonly string[]): number[] {
  const rows: number[] = [];
  for (const word of words) {
    for (let at = 0; at < word.length - 1; at += 1) rows.push(rowOf(word, at));
  }
  return rows;
}

/**
 * The numbers of the texts that may have the words of `rows`, in their order: none that has them is
 * missing. For most words a tenth is left, which alone have to be searched.
 */
export function candidates(index: BigramIndex, texts: number, rows: readonly number[]): number[] {
  const groups = Math.ceil(texts / GROUP);
  const found: number[] = [];
  for (let group = 0; group < groups; group += 1) {
    const count = Math.min(GROUP, texts - group * GROUP);
    let bits = -1 >>> (GROUP - count);
    for (const row of rows) bits &= index[row * groups + group] ?? 0;
    while (bits !== 0) {
      const lowest = bits & -bits;
      bits ^= lowest;
      found.push(group * GROUP + 31 - Math.clz32(lowest));
    }
  }
  return found;
}
