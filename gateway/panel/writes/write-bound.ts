import { LRUCache } from 'lru-cache';
import type { Constants } from '../../../db/runtime/constants.ts';

/** How many writes the pages of a restaurant may send in a minute. The API does not count them. */
export interface WriteBound {
  /** Whether `count` more may be sent now. */
  take(tenantId: number, count: number): boolean;
}

const MINUTE = 60_000;

export function createWriteBound(
  { maxPanelWrites, maxPanelWindows }: Pick<Constants, 'maxPanelWrites' | 'maxPanelWindows'>,
  now: () => number,
): WriteBound {
  const windows = new LRUCache<number, { endsAt: number; taken: number }>({ max: maxPanelWindows });
  return {
    take: (tenantId, count) => {
      const known = windows.get(tenantId);
      const window = known && known.endsAt > now() ? known : { endsAt: now() + MINUTE, taken: 0 };
      if (window.taken + count > maxPanelWrites) return false;
      window.taken += count;
      windows.set(tenantId, window);
      return true;
    },
  };
}
