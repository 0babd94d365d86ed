import { createEntryCache } from '../../db/runtime/memoize.ts';

export type MinuteBound<Key extends number | string> = ReturnType<typeof createMinuteBound<Key>>;

const MINUTE = 60_000;

/**
 * How much each of many may take in a minute, or another span, in one gateway.
 *
 * @param most that one may take
 * @param maxWindows that are held; beyond it the least recently used is evicted
 * @param now milliseconds
 * @param span of a window, in ms
 */
export function createMinuteBound<Key extends number | string>(
  most: number,
  maxWindows: number,
  now: () => number,
  span = MINUTE,
) {
  const windows = createEntryCache<Key, { endsAt: number; taken: number }>(maxWindows);
  return {
    /** Takes an amount; how long to wait when that is too much, in ms, else 0. */
    take: (key: Key, amount = 1) => {
      const known = windows.get(key);
      const window = known && known.endsAt > now() ? known : { endsAt: now() + span, taken: 0 };
      if (window.taken + amount > most) return window.endsAt - now();
      window.taken += amount;
      windows.set(key, window);
      return 0;
    },
  };
}
