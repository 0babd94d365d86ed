// See `forgiving.js`.

export function slips(typed: string, word: string, most: number): number;
export function forgive<T extends { name: string; text: string }>(
  words: readonly string[],
  dishes: readonly T[],
): Set<T>;
