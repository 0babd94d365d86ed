import { LRUCache } from 'lru-cache';
import { toLocal } from '../../db/runtime/zone-clock.ts';

/** Time zones in use at once, and in each of them quarters of an hour: a week's and more. */
const MAX_ZONES = 100;
const MAX_QUARTERS_PER_ZONE = 1_000;

/** A moment in a restaurant's calendar: the day as `YYYY-MM-DD`, the hour from 0 to 23. */
interface LocalTime {
  day: string;
  hour: number;
}

/** Zones differ by multiples of a quarter of an hour, and change at such: in ms. */
const QUARTER = 15 * 60_000;

/** The times of a zone, each by the number of its quarter of an hour since 1970. */
type Zone = LRUCache<number, LocalTime>;

function openZone(timezone: string): Zone {
  return new LRUCache({
    max: MAX_QUARTERS_PER_ZONE,
    memoMethod: (quarter) => read(timezone, quarter * QUARTER),
  });
}

const zones = new LRUCache<string, Zone>({ max: MAX_ZONES, memoMethod: openZone });

function read(timezone: string, time: number): LocalTime {
  const local = toLocal(new Date(time).toISOString(), timezone);
  return { day: local.slice(0, 10), hour: Number(local.slice(11, 13)) };
}

/** The number of the quarter of an hour: while it stays, no clock shows another day or hour. */
export function quarterOf(time: number): number {
  return Math.floor(time / QUARTER);
}

/**
 * The day and hour that the clocks of a time zone show.
 *
 * @param timezone IANA name
 * @param time milliseconds since 1970
 */
export function localTime(timezone: string, time: number): LocalTime {
  return zones.memo(timezone).memo(quarterOf(time));
}
