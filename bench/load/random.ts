/** A seeded source of numbers (mulberry32): the same seed gives the same events everywhere. */
export interface Random {
  /** At least 0 and less than 1. */
  next(): number;
  /** A whole number, at least 0 and less than `bound`. */
  below(bound: number): number;
  pick<T>(list: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return { next, below, pick: (list) => list[below(list.length)] as (typeof list)[number] };
}

/** Choices by Zipf's law: the n-th of the names comes 1/n times as often as the first. */
export function drawSkewed(names: readonly string[], draws: number): string[] {
  const random = createRandom(7);
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= names.length; rank += 1) {
    sum += 1 / rank;
    sums.push(sum);
  }
  return Array.from({ length: draws }, () => {
    const at = random.next() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return names[low] ?? '';
  });
}
