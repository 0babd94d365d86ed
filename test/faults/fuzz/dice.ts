import type { Random } from '../../../bench/load/random.ts';
import { oddText } from './values.ts';

/** Query fields that pages read, and some that nothing reads. */
const QUERY_FIELDS = ['because', 'created', 'revoked', 'screen', 'lang', 'next', 'v', '__proto__'];
/** Words that some parameters take. */
const QUERY_WORDS = ['csv', 'json', 'true', 'it', 'latte', 'vegan', '2026-01-15'];

/** Chance, as requests need it. */
export interface Dice {
  random: Random;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A text of any kind, as it may stand in an address. */
  text(): string;
  /** An id of a record that there may be, or something that is none. */
  id(): string;
  /**
   * A query string with its question mark, or nothing.
   *
   * @param fields parameters that the address has
   */
  query(fields: readonly string[]): string;
}

/** As addresses spell it; halves of surrogate pairs become the sign for them. */
function escapeText(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

export function createDice(random: Random): Dice {
  const chance = (probability: number) => random.next() < probability;
  const text = () => escapeText(oddText(random));
  return {
    random,
    chance,
    pick: random.pick,
    text,
    id: () => (chance(0.8) ? String(1 + random.below(300)) : text()),
    query: (fields) => {
      if (chance(0.4)) return '';
      const pairs = Array.from({ length: 1 + random.below(3) }, () => {
        const known = chance(0.5) ? String(random.below(120)) : random.pick(QUERY_WORDS);
        const names = fields.length > 0 && chance(0.85) ? fields : QUERY_FIELDS;
        return `${random.pick(names)}=${chance(0.7) ? known : text()}`;
      });
      return `?${chance(0.9) ? pairs.join('&') : text()}`;
    },
  };
}
