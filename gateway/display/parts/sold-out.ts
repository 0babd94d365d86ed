import { DAY, shiftDay } from '../../../db/runtime/day.ts';
import { toLocal } from '../../../db/runtime/zone-clock.ts';

/** An evening goes on past midnight: its day ends at this hour. */
export const DAY_ENDS = '04:00';
const DAYS_OF_WEEK = 7;

/** Languages whose names of days change their form behind “until”: they have short dates instead. */
const INFLECTED: ReadonlySet<string> = new Set(['cs', 'hr', 'hu', 'pl', 'ru', 'tr', 'uk']);

/** A moment in a time zone: its day as `YYYY-MM-DD` and its time as `HH:MM`. */
function localParts(moment: Date, timeZone: string): { day: string; time: string } {
  const [day = '', time = ''] = toLocal(moment.toISOString(), timeZone).split('T');
  return { day, time };
}

/** The day of a restaurant at a moment, which lasts until its evening ends: `YYYY-MM-DD`. */
export function houseDay(moment: Date, timeZone: string): string {
  const { day, time } = localParts(moment, timeZone);
  return time < DAY_ENDS ? shiftDay(day, -1) : day;
}

/** The restaurant's last day on which something is sold out. */
function lastDay({ day, time }: { day: string; time: string }): string {
  return time <= DAY_ENDS ? shiftDay(day, -1) : day;
}

/** Whether something is sold out until the restaurant's day ends at the latest. */
export function isForToday(
  until: string | null | undefined,
  { today, timezone }: { today: string; timezone: string },
): boolean {
  return typeof until === 'string' && lastDay(localParts(new Date(until), timezone)) <= today;
}

/** The end of being sold out: the key of its text, and the value that the text takes. */
type SoldOutEnd =
  | { text: 'forToday' }
  | { text: 'untilTime'; time: string }
  | { text: 'untilDay'; day: string }
  | { text: 'until'; date: string };

/**
 * The end of being sold out as people say it: for today, until an hour of today, until a day of the
 * week, or until a date. An end before a day of the restaurant begins names the last day.
 *
 * @param today the restaurant's day
 * @param locale as dates are written in it
 */
export function soldOutEnd(end: Date, today: string, timeZone: string, locale: string): SoldOutEnd {
  const { day, time } = localParts(end, timeZone);
  const isWhole = time <= DAY_ENDS;
  const last = lastDay({ day, time });
  const hours = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const write = (options: Intl.DateTimeFormatOptions) => {
    const at = isWhole ? Date.parse(last) : end;
    const zone = isWhole ? 'UTC' : timeZone;
    const style = { ...options, ...(!isWhole && hours), timeZone: zone };
    return new Intl.DateTimeFormat(locale, style).format(at);
  };
  if (last <= today) return isWhole ? { text: 'forToday' } : { text: 'untilTime', time };
  const isSoon = Date.parse(last) - Date.parse(today) < DAYS_OF_WEEK * DAY;
  const [language = ''] = locale.split('-');
  if (isSoon && !INFLECTED.has(language))
    return { text: 'untilDay', day: write({ weekday: 'long' }) };
  return { text: 'until', date: write({ weekday: 'short', day: 'numeric', month: 'short' }) };
}

/** A text with the value of an end in its place. */
export function fillSoldOut(text: string, end: SoldOutEnd): string {
  return text.replace(/\{(time|day|date)\}/, (_, name: string) =>
    name in end ? String(end[name as keyof SoldOutEnd]) : '',
  );
}
