import type * as v from 'valibot';
import { defineDictionary } from './dictionary.ts';
import { labels } from './field.ts';

/** The 14 regulated allergens, ordered as in EU Regulation 1169/2011; keys never change. */
export const allergens = defineDictionary({
  cereali_glutine: labels(
    'Cereali contenenti glutine',
    'Cereals containing gluten',
    'Céréales contenant du gluten',
    'Glutenhaltiges Getreide',
    'Cereales que contienen gluten',
  ),
  crostacei: labels('Crostacei', 'Crustaceans', 'Crustacés', 'Krebstiere', 'Crustáceos'),
  uova: labels('Uova', 'Eggs', 'Œufs', 'Eier', 'Huevos'),
  pesce: labels('Pesce', 'Fish', 'Poisson', 'Fisch', 'Pescado'),
  arachidi: labels('Arachidi', 'Peanuts', 'Arachides', 'Erdnüsse', 'Cacahuetes'),
  soia: labels('Soia', 'Soybeans', 'Soja', 'Soja', 'Soja'),
  latte: labels('Latte', 'Milk', 'Lait', 'Milch', 'Leche'),
  frutta_guscio: labels(
    'Frutta a guscio',
    'Tree nuts',
    'Fruits à coque',
    'Schalenfrüchte',
    'Frutos de cáscara',
  ),
  sedano: labels('Sedano', 'Celery', 'Céleri', 'Sellerie', 'Apio'),
  senape: labels('Senape', 'Mustard', 'Moutarde', 'Senf', 'Mostaza'),
  sesamo: labels(
    'Semi di sesamo',
    'Sesame seeds',
    'Graines de sésame',
    'Sesamsamen',
    'Granos de sésamo',
  ),
  solfiti: labels(
    'Anidride solforosa e solfiti',
    'Sulphur dioxide and sulphites',
    'Anhydride sulfureux et sulfites',
    'Schwefeldioxid und Sulfite',
    'Dióxido de azufre y sulfitos',
  ),
  lupini: labels('Lupini', 'Lupin', 'Lupin', 'Lupinen', 'Altramuces'),
  molluschi: labels('Molluschi', 'Molluscs', 'Mollusques', 'Weichtiere', 'Moluscos'),
});
export type AllergenKey = v.InferOutput<typeof allergens.keySchema>;

/** A dish's declaration of allergens. */
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
