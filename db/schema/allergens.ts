import type * as v from 'valibot';
import { defineDictionary } from './dictionary.ts';

/** The 14 regulated allergens, ordered as in EU Regulation 1169/2011; keys never change. */
export const allergens = defineDictionary({
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
});
export type AllergenKey = v.InferOutput<typeof allergens.keySchema>;

/** What a dish says of allergens. */
export interface AllergenStatement {
  allergens: readonly string[];
  traces: readonly string[];
  allergens_declared: boolean;
}

/**
 * Whether guests who avoid these allergens may have a dish: it declares its allergens, contains none
 * of these and may contain none of them.
 */
export function isSafe(dish: AllergenStatement, avoided: readonly string[]): boolean {
  const has = (key: string) => dish.allergens.includes(key) || dish.traces.includes(key);
  return dish.allergens_declared && !avoided.some(has);
}
