import type * as v from 'valibot';
import { defineDictionary } from './dictionary.ts';

/** The 14 regulated allergens, ordered as in EU Regulation 1169/2011; keys never change. */
export const allergens = defineDictionary('allergens', [
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
]);
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
