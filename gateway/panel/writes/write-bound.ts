import { LRUCache } from 'lru-cache';
import type { Constants } from '../../../db/runtime/constants.ts';

/** How many writes the pages of a restaurant may send in a minute. The API does not count them. */
export interface WriteBound {
  /** Counts one more write; how long to wait when it is one too many, in ms, else 0. */
  take(tenantId: number): number;
}

const MINUTE = 60_000;

export function createWriteBound(
  { maxPanelWrites, maxPanelWindows }: Pick<Constants, 'maxPanelWrites' | 'maxPanelWindows'>,
  now: () => number,
): WriteBound {
  const windows = new LRUCache<number, { endsAt: number; taken: number }>({ max: maxPanelWindows });
  return {
    take: (tenantId) => {
      const known = windows.get(tenantId);
      const window = known && known.endsAt > now() ? known : { endsAt: now() + MINUTE, taken: 0 };
      if (window.taken >= maxPanelWrites) return window.endsAt - now();
      window.taken += 1;
      windows.set(tenantId, window);
      return 0;
    },
  };
}
