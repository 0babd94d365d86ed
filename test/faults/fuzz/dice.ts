import type { Random } from '../../../bench/load/random.ts';
import { oddText } from './values.ts';

const QUERY_FIELDS =
  'category_id type_id is_recommended search page per_page locale deleted from to limit __proto__'
    .split(' ')
    .concat('because', 'created', 'revoked', 'screen', 'lang');

/** Chance, as requests need it. */
export interface Dice {
  random: Random;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A text of any kind, as it may stand in an address. */
  text(): string;
  /** An id of a record that there may be, or something that is none. */
  id(): string;
  /** A query string with its question mark, or nothing. */
  query(): string;
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
    query: () => {
      if (chance(0.4)) return '';
      const fields = Array.from({ length: 1 + random.below(3) }, () => {
        const value = chance(0.5) ? String(random.below(120)) : text();
        return `${random.pick(QUERY_FIELDS)}=${value}`;
      });
      return `?${chance(0.9) ? fields.join('&') : text()}`;
    },
  };
}
