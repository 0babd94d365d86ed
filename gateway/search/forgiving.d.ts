// See `forgiving.js`.

export interface WordIndex {
  count: number;
  words: string;
  letters: Int32Array;
  begins: Int32Array;
  ends: Int32Array;
  places: Int32Array;
}

export function slips(
  typed: string,
  text: string,
  most: number,
  begin?: number,
  end?: number,
): number;
export function indexWords(dishes: readonly { name: string; text: string }[]): WordIndex;
export function forgive(
  words: readonly string[],
  index: WordIndex,
  ranges?: readonly (readonly [first: number, end: number])[],
): number[];
