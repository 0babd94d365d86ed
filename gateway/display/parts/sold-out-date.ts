import { shiftDay } from '../../../db/runtime/day.ts';

/** An evening goes on past midnight: its day ends at this hour. */
export const DAY_ENDS = '04:00';

/** A moment in a time zone: its day as `YYYY-MM-DD` and its time as `HH:MM`. */
function localParts(moment: Date, timeZone: string): { day: string; time: string } {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    timeZone,
  });
  const [day = '', time = ''] = format.format(moment).split(' ');
  return { day, time };
}

/**
 * The end of being sold out as people say it: a day and a time, or the last day alone where the dish
 * is back before a day of the restaurant begins.
 *
 * @param locale as dates are written in it
 */
export function soldOutDate(end: Date, timeZone: string, locale: string): string {
  const { day, time } = localParts(end, timeZone);
  const dayOnly = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  if (time <= DAY_ENDS) {
    const last = Date.parse(shiftDay(day, -1));
    return new Intl.DateTimeFormat(locale, { ...dayOnly, timeZone: 'UTC' }).format(last);
  }
  const withTime = { ...dayOnly, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat(locale, { ...withTime, timeZone }).format(end);
}
