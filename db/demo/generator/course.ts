import type { AllergenKey } from '../../records/allergen.ts';
import type { Locale } from '../../records/locale.ts';

/** A text in all five languages, so that any choice of supported languages can be cut from it. */
export type FullTexts = Record<Locale, string>;

/** Half a dish. Its description is a sentence of its own, without the full stop. */
export interface Fragment {
  name: FullTexts;
  description: FullTexts;
  /** In euro; a dish costs the sum of its two halves. */
  price: number;
  allergens: AllergenKey[];
}

/**
 * A course whose dishes are a base followed by a companion. A companion's name begins with its own
 * preposition, so that every pair reads correctly in each language.
 */
export interface Course {
  name: FullTexts;
  bases: Fragment[];
  companions: Fragment[];
}
