import { LRUCache } from 'lru-cache';

/**
 * A cache that forgets what was used longest ago when it has more than `entries`. It takes memory as it
 * fills: with `max`, the library reserves the room of all entries at once.
 *
 * @param timing how long an entry counts, in ms, and the clock for that
 */
export function createEntryCache<K extends {}, V extends {}>(
  entries: number,
  timing: { ttl?: number; ttlResolution?: number; perf?: { now(): number } } = {},
): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: entries, sizeCalculation: () => 1, ...timing });
}
