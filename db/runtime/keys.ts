/** The names of an object's fields, for objects that have no others than their type says. */
export function keysOf<T extends object>(of: T): (keyof T & string)[] {
  return Object.keys(of) as (keyof T & string)[];
}

/** An object that has a value for each of the keys. */
export function objectOf<K extends string, V>(keys: readonly K[], make: (key: K) => V) {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}

/** The same with their values. */
export function entriesOf<K extends string, V>(of: Readonly<Partial<Record<K, V>>>): [K, V][] {
  return Object.entries(of) as [K, V][];
}
