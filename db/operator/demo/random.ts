/** A repeatable source of choices. */
export interface Random {
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<T>(choices: readonly T[]): T;
  /** `count` different elements in random order, or all of them when there are fewer. */
  sample<T>(choices: readonly T[], count: number): T[];
}

/** mulberry32: 32 bits of state are plenty for menus, and every seed gives its own sequence. */
export function seededRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function between(least: number, most: number): number {
    return least + Math.floor(next() * (most - least + 1));
  }

  return {
    between,
    pick(choices) {
      return choices[between(0, choices.length - 1)] as (typeof choices)[number];
    },
    sample(choices, count) {
      const left = [...choices];
      const taken: typeof left = [];
      while (taken.length < count && left.length > 0) {
        taken.push(...left.splice(between(0, left.length - 1), 1));
      }
      return taken;
    },
  };
}
