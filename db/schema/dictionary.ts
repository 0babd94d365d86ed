import * as v from 'valibot';
import { type Guest, guestTexts, type TextKey } from '../texts/catalogues.ts';
import type { Locale } from './values/locale.ts';

/** One entry of a dictionary as guests read it. */
export interface Entry<K extends string = string> {
  key: K;
  name: string;
}

/** A fixed list of words that dishes are marked with, with their names in the catalogues. */
export interface Dictionary<K extends string = string> {
  keys: readonly K[];
  entrySchema: v.GenericSchema<Entry<K>>;
  in(locale: Locale): Entry<K>[];
}

type Topic = 'allergens' | 'additives' | 'labels';

/**
 * @param topic of the catalogues
 * @param keys in the order in which they are shown; they never change
 */
function defineDictionary<T extends Topic, const K extends keyof Guest[T] & string>(
  topic: T,
  keys: readonly [K, ...K[]],
) {
  const keySchema = v.picklist(keys);
  return {
    keys,
    keySchema,
    entrySchema: v.object({ key: keySchema, name: v.string() }),
    label: (key: K) => `${topic}.${key}` as TextKey,
    /** All entries with their names in a language, always in the same order. */
    in: (locale: Locale): Entry<K>[] => {
      const names = guestTexts(locale)[topic] as Record<K, string>;
      return keys.map((key) => ({ key, name: names[key] }));
    },
  };
}

/** The additives that menus in Germany and the EU name; keys never change. */
export const additives = defineDictionary('additives', [
  'colouring',
  'preservative',
  'antioxidant',
  'flavour_enhancer',
  'sulphured',
  'blackened',
  'waxed',
  'phosphate',
  'sweetener',
  'phenylalanine_source',
  'quinine',
  'caffeine',
  'taurine',
]);

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

/** Properties of a dish that guests look for or must know; keys never change. */
export const dishLabels = defineDictionary('labels', [
  'vegetarian',
  'vegan',
  'gluten_free',
  'lactose_free',
  'spicy',
  'halal',
  'kosher',
  'organic',
  'local',
  'homemade',
  'frozen',
  'new',
]);
