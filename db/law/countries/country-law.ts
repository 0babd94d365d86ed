import type { AllergenKey } from '../../schema/dictionary.ts';
import type { OriginKind } from '../../schema/origins.ts';
import type { Settings } from '../../schema/settings.ts';
import type { Guest, Panel } from '../../texts/catalogues.ts';

// The law of a country as data. A country is one file: its rules, the sentences that
// menus print there, and what only the restaurant can know.

/** The restaurants for which a rule or a sentence holds: all of the country's where nothing is said. */
interface Scope {
  /** Its business has this size. */
  chain_size?: Settings['chain_size'];
  /** A part of the country; restaurants that state no region count where it is `optional`. */
  region?: { code: string; optional?: true };
}

/** The parts of an origin that satisfy a law: one of these lists. */
type OriginParts = readonly (readonly (
  | 'country'
  | 'born'
  | 'reared'
  | 'slaughtered'
  | 'catch_area'
)[])[];

/** A demand on the fields of a menu. */
export type Demand =
  /** Every dish declares its allergens. */
  | { check: 'allergens' }
  /** A dish that contains one of these allergens says which cereals or nuts. */
  | { check: 'allergen_kinds'; of: readonly AllergenKey[] }
  /** Ingredients of these kinds say where they come from; a dish that may have one names it. */
  | { check: 'origins'; kinds: readonly OriginKind[]; parts: OriginParts; found: 'meat' | 'fish' }
  /** Every dish states its energy; drinks with more alcohol than `abv_above` need not. */
  | { check: 'kcal'; abv_above?: number }
  /** Every drink states how much it is. */
  | { check: 'volume' }
  /** Every dish has a price. */
  | { check: 'price' }
  /** Prices include taxes. */
  | { check: 'tax' }
  /** Prices include the service. */
  | { check: 'service' }
  /** A cover charge is an amount. */
  | { check: 'cover_charge' };

/** A demand that can be seen on a menu. */
export type Rule = Demand & {
  /** Its name in answers; it never changes. */
  rule: string;
  title: keyof Panel['law']['titles'];
  /** The law as people of the trade cite it. */
  law: string;
  /** Where it can be read. */
  source: string;
  /** The day from which it holds, `YYYY-MM-DD`. */
  since: string;
  holds?: Scope;
};

/** A sentence that menus print; it appears where the menu has what it is about. */
export interface Sentence {
  text: keyof Guest['law'];
  about: 'always' | 'kcal' | 'frozen' | 'foreign_meat';
  holds?: Scope;
}

/** A demand that a menu cannot show to be met. */
export interface Reminder {
  text: keyof Panel['law']['reminders'];
  law: string;
  source: string;
  holds?: Scope;
}

export interface CountryLaw {
  rules: readonly Rule[];
  sentences: readonly Sentence[];
  reminders: readonly Reminder[];
}
