import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { WindowAsk, WindowCount } from '../../db/sql/limit-windows.ts';
import { addRequests } from '../../db/sql/usage.ts';

/**
 * Adds up the requests of restaurants that limits have counted, for their usage of a day.
 *
 * @param now milliseconds on a clock that never goes back
 */
export function createRequestTally(
  now: () => number,
  { requestTallyInterval }: Pick<Constants, 'requestTallyInterval'>,
) {
  let noted = new Map<number, number>();
  let savedAt = now();
  const add = (tenantId: number, requests: number) => {
    noted.set(tenantId, (noted.get(tenantId) ?? 0) + requests);
  };
  return {
    /** Notes a report that Postgres has taken. */
    note: (asks: readonly WindowAsk[], counts: readonly (WindowCount | undefined)[]) => {
      asks.forEach(({ tenantId, debt }, at) => {
        const count = counts[at];
        // Of a window that another gateway was creating, all is reported again.
        if (count && debt + count.granted !== 0) add(tenantId, debt + count.granted);
      });
    },
    /** Stores what was noted, once a minute at most; the last time at once. */
    save: async (db: Db, isLast = false) => {
      if (noted.size === 0 || (!isLast && now() - savedAt < requestTallyInterval)) return;
      savedAt = now();
      const saved = noted;
      noted = new Map();
      try {
        await addRequests(db, saved);
      } catch (error) {
        for (const [tenantId, requests] of saved) add(tenantId, requests);
        throw error;
      }
    },
  };
}
