import * as v from 'valibot';
import { entriesOf } from '../runtime/keys.ts';
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

type Topic = 'allergens' | 'allergen_detail' | 'additives' | 'labels';

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
  'nitrite_salt',
  'nitrate',
  'nitrite_and_nitrate',
  'polyols',
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

const CEREALS = ['grano', 'segale', 'orzo', 'avena', 'farro', 'kamut'] as const;
const NUTS = [
  'mandorle',
  'nocciole',
  'noci',
  'anacardi',
  'noci_pecan',
  'noci_brasile',
  'pistacchi',
  'macadamia',
] as const;

/** The cereals and nuts that Annex II of the regulation names; keys never change. */
export const allergenKinds = defineDictionary('allergen_detail', [...CEREALS, ...NUTS]);
export type AllergenKind = v.InferOutput<typeof allergenKinds.keySchema>;

/** The kinds of the two allergens that have some. */
export const KINDS_OF = { cereali_glutine: CEREALS, frutta_guscio: NUTS } as const satisfies {
  [A in AllergenKey]?: readonly AllergenKind[];
};

/** The allergen that a kind is one of. */
export const ALLERGEN_OF: ReadonlyMap<string, AllergenKey> = new Map(
  entriesOf(KINDS_OF).flatMap(([key, kinds]) => kinds.map((kind) => [kind, key] as const)),
);

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
