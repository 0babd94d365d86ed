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
