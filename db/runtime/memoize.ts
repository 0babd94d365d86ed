import { LRUCache } from 'lru-cache';

/** Calls `make` when it is asked first, and keeps what it made. */
export function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Where results are kept by their keys. */
interface Kept<Key, Made> {
  get(key: Key): Made | undefined;
  set(key: Key, made: Made): void;
}

/** Calls `make` once for each key and keeps what it made: keys must be few, such as languages. */
export function memoize<Key, Made>(
  make: (key: Key) => Made,
  made: Kept<Key, Made> = new Map(),
): (key: Key) => Made {
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}

/** As `memoize`, for objects of any number: a result is kept as long as its object. */
export function memoizeWeakly<Key extends object, Made>(make: (key: Key) => Made) {
  return memoize(make, new WeakMap<Key, Made>());
}

/** The result of `make`, which runs at the first request for it; a failed call is made again. */
export function memoizeAsync<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return async () => {
    made ??= make();
    try {
      return await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}

/**
 * A cache that forgets what was used longest ago when it has more than `entries`. It takes memory as it
 * fills: with `max`, the library reserves the room of all entries at once.
 *
 * @param more how long an entry counts, in ms, the clock for that, and what hears of evicted entries
 */
export function createEntryCache<K extends {}, V extends {}>(
  entries: number,
  more: {
    ttl?: number;
    ttlResolution?: number;
    perf?: { now(): number };
    dispose?: LRUCache.Disposer<K, V>;
  } = {},
): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: entries, sizeCalculation: () => 1, ...more });
}
