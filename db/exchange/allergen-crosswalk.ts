import { keysOf } from '../runtime/keys.ts';
import { ALLERGEN_OF, type AllergenKey, type AllergenKind } from '../schema/dictionary.ts';

// One table for allergens and labels. Nothing is guessed about what a guest may not eat: a word of a
// service that may mean several allergens means none of them here.

type Words<K extends string, T> = Readonly<Partial<Record<K, T>>>;

/**
 * Google’s words. Gluten is no WHEAT: that is the kind `grano`. SHELLFISH may be either of two, so that
 * it is not read.
 */
export const GOOGLE_ALLERGENS: Words<AllergenKey, string> = {
  crostacei: 'SHELLFISH',
  uova: 'EGG',
  pesce: 'FISH',
  arachidi: 'PEANUT',
  soia: 'SOY',
  latte: 'DAIRY',
  frutta_guscio: 'TREE_NUT',
  molluschi: 'SHELLFISH',
};
export const GOOGLE_WHEAT = 'WHEAT';
export const GOOGLE_SHELLFISH = 'SHELLFISH';

/** The standard ingredients of Square. */
export const SQUARE_INGREDIENTS: Readonly<Record<AllergenKey, string>> = {
  cereali_glutine: 'GLUTEN',
  crostacei: 'CRUSTACEANS',
  uova: 'EGGS',
  pesce: 'FISH',
  arachidi: 'PEANUTS',
  soia: 'SOY',
  latte: 'MILK',
  frutta_guscio: 'TREE_NUTS',
  sedano: 'CELERY',
  senape: 'MUSTARD',
  sesamo: 'SESAME',
  solfiti: 'SULPHITES',
  lupini: 'LUPIN',
  molluschi: 'MOLLUSCS',
};

/** The tags of Deliverect. */
export const DELIVERECT_ALLERGENS: Readonly<Record<AllergenKey, number>> = {
  sedano: 100,
  cereali_glutine: 101,
  crostacei: 102,
  pesce: 103,
  uova: 104,
  lupini: 105,
  latte: 106,
  molluschi: 107,
  senape: 108,
  frutta_guscio: 109,
  arachidi: 110,
  sesamo: 111,
  soia: 112,
  solfiti: 113,
};
export const DELIVERECT_KINDS: Readonly<Record<AllergenKind, number>> = {
  mandorle: 114,
  orzo: 115,
  noci_brasile: 116,
  anacardi: 117,
  nocciole: 118,
  kamut: 119,
  macadamia: 120,
  avena: 121,
  noci_pecan: 122,
  pistacchi: 123,
  segale: 124,
  farro: 125,
  noci: 126,
  grano: 127,
};
export const DELIVERECT_ALCOHOL = 1;

/** The tags of Otter. */
export const OTTER_ALLERGENS: Readonly<Record<AllergenKey, string>> = {
  cereali_glutine: 'GLUTEN',
  crostacei: 'CRUSTACEAN',
  uova: 'EGG',
  pesce: 'FISH',
  arachidi: 'PEANUT',
  soia: 'SOYBEAN',
  latte: 'DAIRY',
  frutta_guscio: 'NUT',
  sedano: 'CELERY',
  senape: 'MUSTARD',
  sesamo: 'SESAME_SEED',
  solfiti: 'SULFITE',
  lupini: 'LUPIN',
  molluschi: 'MOLLUSK',
};
export const OTTER_KINDS: Readonly<Record<AllergenKind, string>> = {
  grano: 'WHEAT',
  segale: 'RYE',
  orzo: 'BARLEY',
  avena: 'OAT',
  farro: 'SPELT',
  kamut: 'KAMUT',
  mandorle: 'ALMOND',
  nocciole: 'HAZELNUT',
  noci: 'WALNUT',
  anacardi: 'CASHEW',
  noci_pecan: 'PECAN',
  noci_brasile: 'BRAZIL_NUT',
  pistacchi: 'PISTACHIO',
  macadamia: 'MACADAMIA_NUT',
};

/** The English names that Uber is sent, and the only ones that are read again. */
export const UBER_ALLERGENS: Readonly<Record<AllergenKey, string>> = {
  cereali_glutine: 'Cereals containing gluten',
  crostacei: 'Crustaceans',
  uova: 'Eggs',
  pesce: 'Fish',
  arachidi: 'Peanuts',
  soia: 'Soybeans',
  latte: 'Milk',
  frutta_guscio: 'Tree nuts',
  sedano: 'Celery',
  senape: 'Mustard',
  sesamo: 'Sesame',
  solfiti: 'Sulphites',
  lupini: 'Lupin',
  molluschi: 'Molluscs',
};

/** The labels of dishes in the words of each service; a label that is missing has no word there. */
export const GOOGLE_DIETS: Words<string, string> = {
  vegetarian: 'VEGETARIAN',
  vegan: 'VEGAN',
  halal: 'HALAL',
  kosher: 'KOSHER',
  organic: 'ORGANIC',
};
export const UBER_DIETS: Words<string, string> = {
  vegetarian: 'VEGETARIAN',
  vegan: 'VEGAN',
  gluten_free: 'GLUTEN_FREE',
};
/** DAIRY_FREE is not `lactose_free`: that is a name of its own at Square, as all other labels are. */
export const SQUARE_DIETS: Words<string, string> = {
  vegetarian: 'VEGETARIAN',
  vegan: 'VEGAN',
  gluten_free: 'GLUTEN_FREE',
  halal: 'HALAL',
  kosher: 'KOSHER',
};
export const DELIVERECT_DIETS: Words<string, number> = {
  halal: 2,
  kosher: 3,
  vegan: 4,
  vegetarian: 5,
  organic: 8,
};
export const SCHEMA_DIETS: Words<string, string> = {
  vegetarian: 'https://schema.org/VegetarianDiet',
  vegan: 'https://schema.org/VeganDiet',
  gluten_free: 'https://schema.org/GlutenFreeDiet',
  lactose_free: 'https://schema.org/LowLactoseDiet',
  halal: 'https://schema.org/HalalDiet',
  kosher: 'https://schema.org/KosherDiet',
};

/** The keys of a table by the words of a service. A word of several keys is left out. */
export function byWord<K extends string, T>(words: Words<K, T>): ReadonlyMap<unknown, K> {
  const found = new Map<unknown, K>();
  const twice = new Set<unknown>();
  for (const key of keysOf(words)) {
    const word = words[key];
    if (found.has(word)) twice.add(word);
    found.set(word, key);
  }
  for (const word of twice) found.delete(word);
  return found;
}

/** Contained allergens with those of contained kinds: wheat is a cereal with gluten. */
export function allergensWithKinds(
  allergens: readonly AllergenKey[],
  kinds: readonly AllergenKind[],
): AllergenKey[] {
  return [...new Set([...allergens, ...kinds.flatMap((kind) => ALLERGEN_OF.get(kind) ?? [])])];
}
