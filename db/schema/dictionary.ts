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
export function defineDictionary<T extends Topic, const K extends keyof Guest[T] & string>(
  topic: T,
  keys: readonly [K, ...K[]],
) {
  const keySchema = v.picklist(keys);
  return {
    keys,
    keySchema,
    entrySchema: v.object({ key: keySchema, name: v.string() }),
    /** The text with the name of a key. */
    label: (key: K) => `${topic}.${key}` as TextKey,
    /** All entries with their names in a language, always in the same order. */
    in: (locale: Locale): Entry<K>[] => {
      const names = guestTexts(locale)[topic] as Record<K, string>;
      return keys.map((key) => ({ key, name: names[key] }));
    },
  };
}
