import * as v from 'valibot';
import type { Labels } from './field.ts';
import type { Locale } from './locale.ts';

/** One entry of a dictionary as guests read it. */
export interface Entry<K extends string = string> {
  key: K;
  name: string;
}

/** A fixed list of words that dishes are marked with, with their names in five languages. */
export type Dictionary<K extends string = string> = ReturnType<typeof defineDictionary<K>>;

/** @param names in the order in which they are shown; keys never change */
export function defineDictionary<const K extends string>(names: Readonly<Record<K, Labels>>) {
  const keys = Object.keys(names) as [K, ...K[]];
  const keySchema = v.picklist(keys);
  return {
    keys,
    keySchema,
    entrySchema: v.object({ key: keySchema, name: v.string() }),
    names,
    /** All entries with their names in a language, always in the same order. */
    in: (locale: Locale): Entry<K>[] => keys.map((key) => ({ key, name: names[key][locale] })),
  };
}
