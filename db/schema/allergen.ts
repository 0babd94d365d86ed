import * as v from 'valibot';
import type { Locale } from './locale.ts';

/** The 14 regulated allergens, ordered as in EU Regulation 1169/2011; keys never change. */
export const ALLERGEN_KEYS = [
  'cereali_glutine',
  'crostacei',
  'uova',
  'pesce',
  'arachidi',
  'soia',
  'latte',
  'frutta_guscio',
  'sedano',
  'senape',
  'sesamo',
  'solfiti',
  'lupini',
  'molluschi',
] as const;

export const allergenKeySchema = v.picklist(ALLERGEN_KEYS);
export type AllergenKey = v.InferOutput<typeof allergenKeySchema>;

/** One entry of `/allergens` (SPEC, "Allergen"). */
export const allergenSchema = v.object({ key: allergenKeySchema, name: v.string() });
export type Allergen = v.InferOutput<typeof allergenSchema>;

const NAMES: Record<AllergenKey, Record<Locale, string>> = {
  cereali_glutine: {
    it: 'Cereali contenenti glutine',
    en: 'Cereals containing gluten',
    fr: 'Céréales contenant du gluten',
    de: 'Glutenhaltiges Getreide',
    es: 'Cereales que contienen gluten',
  },
  crostacei: {
    it: 'Crostacei',
    en: 'Crustaceans',
    fr: 'Crustacés',
    de: 'Krebstiere',
    es: 'Crustáceos',
  },
  uova: { it: 'Uova', en: 'Eggs', fr: 'Œufs', de: 'Eier', es: 'Huevos' },
  pesce: { it: 'Pesce', en: 'Fish', fr: 'Poisson', de: 'Fisch', es: 'Pescado' },
  arachidi: {
    it: 'Arachidi',
    en: 'Peanuts',
    fr: 'Arachides',
    de: 'Erdnüsse',
    es: 'Cacahuetes',
  },
  soia: { it: 'Soia', en: 'Soybeans', fr: 'Soja', de: 'Soja', es: 'Soja' },
  latte: { it: 'Latte', en: 'Milk', fr: 'Lait', de: 'Milch', es: 'Leche' },
  frutta_guscio: {
    it: 'Frutta a guscio',
    en: 'Tree nuts',
    fr: 'Fruits à coque',
    de: 'Schalenfrüchte',
    es: 'Frutos de cáscara',
  },
  sedano: { it: 'Sedano', en: 'Celery', fr: 'Céleri', de: 'Sellerie', es: 'Apio' },
  senape: { it: 'Senape', en: 'Mustard', fr: 'Moutarde', de: 'Senf', es: 'Mostaza' },
  sesamo: {
    it: 'Semi di sesamo',
    en: 'Sesame seeds',
    fr: 'Graines de sésame',
    de: 'Sesamsamen',
    es: 'Granos de sésamo',
  },
  solfiti: {
    it: 'Anidride solforosa e solfiti',
    en: 'Sulphur dioxide and sulphites',
    fr: 'Anhydride sulfureux et sulfites',
    de: 'Schwefeldioxid und Sulfite',
    es: 'Dióxido de azufre y sulfitos',
  },
  lupini: { it: 'Lupini', en: 'Lupin', fr: 'Lupin', de: 'Lupinen', es: 'Altramuces' },
  molluschi: {
    it: 'Molluschi',
    en: 'Molluscs',
    fr: 'Mollusques',
    de: 'Weichtiere',
    es: 'Moluscos',
  },
};

/** The dictionary with its labels in `locale`: always 14 entries, always in the same order. */
export function allergenDictionary(locale: Locale): Allergen[] {
  return ALLERGEN_KEYS.map((key) => ({ key, name: NAMES[key][locale] }));
}
