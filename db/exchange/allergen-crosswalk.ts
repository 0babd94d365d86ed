import { keysOf, objectOf } from '../runtime/keys.ts';
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

/** Each allergen: the standard ingredient of Square, the tags of Deliverect and Otter, Uber’s name. */
const ALLERGENS: Readonly<
  Record<AllergenKey, readonly [square: string, deliverect: number, otter: string, uber: string]>
> = {
  cereali_glutine: ['GLUTEN', 101, 'GLUTEN', 'Cereals containing gluten'],
  crostacei: ['CRUSTACEANS', 102, 'CRUSTACEAN', 'Crustaceans'],
  uova: ['EGGS', 104, 'EGG', 'Eggs'],
  pesce: ['FISH', 103, 'FISH', 'Fish'],
  arachidi: ['PEANUTS', 110, 'PEANUT', 'Peanuts'],
  soia: ['SOY', 112, 'SOYBEAN', 'Soybeans'],
  latte: ['MILK', 106, 'DAIRY', 'Milk'],
  frutta_guscio: ['TREE_NUTS', 109, 'NUT', 'Tree nuts'],
  sedano: ['CELERY', 100, 'CELERY', 'Celery'],
  senape: ['MUSTARD', 108, 'MUSTARD', 'Mustard'],
  sesamo: ['SESAME', 111, 'SESAME_SEED', 'Sesame'],
  solfiti: ['SULPHITES', 113, 'SULFITE', 'Sulphites'],
  lupini: ['LUPIN', 105, 'LUPIN', 'Lupin'],
  molluschi: ['MOLLUSCS', 107, 'MOLLUSK', 'Molluscs'],
};

const KINDS: Readonly<Record<AllergenKind, readonly [deliverect: number, otter: string]>> = {
  mandorle: [114, 'ALMOND'],
  orzo: [115, 'BARLEY'],
  noci_brasile: [116, 'BRAZIL_NUT'],
  anacardi: [117, 'CASHEW'],
  nocciole: [118, 'HAZELNUT'],
  kamut: [119, 'KAMUT'],
  macadamia: [120, 'MACADAMIA_NUT'],
  avena: [121, 'OAT'],
  noci_pecan: [122, 'PECAN'],
  pistacchi: [123, 'PISTACHIO'],
  segale: [124, 'RYE'],
  farro: [125, 'SPELT'],
  noci: [126, 'WALNUT'],
  grano: [127, 'WHEAT'],
};

/** The words of one service by their keys. */
function wordsOf<K extends string, R, T>(rows: Readonly<Record<K, R>>, pick: (row: R) => T) {
  return objectOf(keysOf(rows), (key) => pick(rows[key]));
}

export const SQUARE_INGREDIENTS = wordsOf(ALLERGENS, ([square]) => square);
export const DELIVERECT_ALLERGENS = wordsOf(ALLERGENS, ([, deliverect]) => deliverect);
export const DELIVERECT_KINDS = wordsOf(KINDS, ([deliverect]) => deliverect);
export const DELIVERECT_ALCOHOL = 1;
export const OTTER_ALLERGENS = wordsOf(ALLERGENS, ([, , otter]) => otter);
export const OTTER_KINDS = wordsOf(KINDS, ([, otter]) => otter);
/** The English names that Uber is sent, and the only ones that are read again. */
export const UBER_ALLERGENS = wordsOf(ALLERGENS, ([, , , uber]) => uber);

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
