import type { WorkerPlace } from '../../db/sql/server.ts';

/** Divides looks among all workers, so that more workers do not look more often. */
export interface LookShares {
  /** Notes this worker's place among all. */
  note(place: WorkerPlace): void;
  /** Milliseconds until its next look, where all workers together look every `interval` ms. */
  untilNext(interval: number): number;
}

/** A slot begins so long after its moment, in ms: a timer may end a millisecond early. */
const LATER = 5;

/**
 * Time is cut into slots of an interval, and workers have them in turn. Until the others count anew,
 * the slots of a worker that is gone are left out. It holds no lock, so none waits for another. Slots
 * of a second begin with it: so what changes at a moment, a whole second, waits for no look.
 *
 * @param now milliseconds since 1970
 */
export function createLookShares(now: () => number): LookShares {
  let place: WorkerPlace = { count: 1, rank: 0 };
  return {
    note: (found) => {
      place = found;
    },
    untilNext: (interval) => {
      const { count, rank } = place;
      const at = now();
      const next = Math.floor(at / interval) + 1;
      const ahead = (((rank - next) % count) + count) % count;
      return (next + ahead) * interval + LATER - at;
    },
  };
}
