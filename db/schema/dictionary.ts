import * as v from 'valibot';
import type { Labels } from './field.ts';
import type { Locale } from './locale.ts';

/** One entry of a dictionary as guests read it. */
export interface Entry<K extends string = string> {
  key: K;
  name: string;
}

type KeySchema<K extends string> = v.PicklistSchema<[K, ...K[]], undefined>;
type EntrySchema<K extends string> = v.ObjectSchema<
  { key: KeySchema<K>; name: v.StringSchema<undefined> },
  undefined
>;

/** A fixed list of words that dishes are marked with, with their names in five languages. */
export interface Dictionary<K extends string = string> {
  keys: readonly [K, ...K[]];
  keySchema: KeySchema<K>;
  entrySchema: EntrySchema<K>;
  names: Readonly<Record<K, Labels>>;
  /** All entries with their names in a language, always in the same order. */
  in(locale: Locale): Entry<K>[];
}

/** @param names in the order in which they are shown; keys never change */
export function defineDictionary<const K extends string>(names: Record<K, Labels>): Dictionary<K> {
  const keys = Object.keys(names) as [K, ...K[]];
  const keySchema = v.picklist(keys);
  return {
    keys,
    keySchema,
    entrySchema: v.object({ key: keySchema, name: v.string() }),
    names,
    in: (locale) => keys.map((key) => ({ key, name: names[key][locale] })),
  };
}
