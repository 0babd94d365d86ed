import { DAY } from './day.ts';
import { memoize } from './memoize.ts';

const clockFormat = memoize(
  (timezone: string) =>
    new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    }),
);

/** Of a moment in ms, by how many ms the clocks of a time zone are ahead of UTC. */
function offsetAt(time: number, timezone: string): number {
  const format = clockFormat(timezone);
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const day = [part('year'), part('month') - 1, part('day')] as const;
  const local = Date.UTC(...day, part('hour'), part('minute'), part('second'));
  return local - Math.floor(time / 1_000) * 1_000;
}

/** A moment in ISO 8601 as `YYYY-MM-DDTHH:MM` on the clocks of a time zone. */
export function toLocal(moment: string, timezone: string): string {
  const time = Date.parse(moment);
  return new Date(time + offsetAt(time, timezone)).toISOString().slice(0, 16);
}

/**
 * The moment at which the clocks of a time zone show `YYYY-MM-DDTHH:MM`, in UTC; anything else comes
 * back as it is. An hour that the clocks show twice is the first of the two; one that they leave out is
 * as long after midnight as it would be without the change: half past two is half past three.
 */
export function toUtc(local: string, timezone: string): string {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)) return local;
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return local;
  const timeBy = (near: number) => wanted - offsetAt(near, timezone);
  const [before, after] = [timeBy(wanted - DAY), timeBy(wanted + DAY)];
  const isShown = (time: number) => time + offsetAt(time, timezone) === wanted;
  const time = !isShown(before) && isShown(after) ? after : before;
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
