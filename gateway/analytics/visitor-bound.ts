import { LRUCache } from 'lru-cache';
import type { Constants } from '../../db/runtime/constants.ts';

/** The visitors that a client was on a day, and other clients' likewise. */
export interface VisitorBound {
  /**
   * Whether events of the client may count for this visitor: it is one of the first
   * `maxVisitorsPerClient` of the day.
   *
   * @param client of a restaurant
   * @param day on which the events arrived, `YYYY-MM-DD`
   * @param visitor a hash, which differs from day to day
   */
  admits(client: string, day: string, visitor: string): boolean;
}

interface Seen {
  day: string;
  visitors: Set<string>;
}

/**
 * Anybody may send events under any number of visitors' ids. So a client, behind which hundreds of
 * phones may be, is a bounded number of visitors, whatever days its events name. When more visitors
 * are remembered than memory allows, the clients are forgotten that were silent longest.
 */
export function createVisitorBound({
  maxVisitorsPerClient,
  maxRememberedVisitors,
}: Pick<Constants, 'maxVisitorsPerClient' | 'maxRememberedVisitors'>): VisitorBound {
  const clients = new LRUCache<string, Seen>({ maxSize: maxRememberedVisitors });
  return {
    admits: (client, day, visitor) => {
      const held = clients.get(client);
      const visitors = held?.day === day ? held.visitors : new Set<string>();
      if (visitors.has(visitor)) return true;
      if (visitors.size >= maxVisitorsPerClient) return false;
      visitors.add(visitor);
      // A new object: the cache takes the size of one that it holds already from its first time.
      clients.set(client, { day, visitors }, { size: visitors.size });
      return true;
    },
  };
}
