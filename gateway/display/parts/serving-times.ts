import { shiftDay } from '../../../db/runtime/day.ts';
import { memoize } from '../../../db/runtime/memoize.ts';
import type { SectionTree } from '../../../db/schema/section.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import type { PageTexts } from '../../../db/texts/catalogues.ts';
import { type Content, html } from '../../http/html.ts';

type Times = Pick<SectionTree, 'time_visibility_enabled' | 'hours' | 'date_start' | 'date_end'>;
type Window = Times['hours'][number];

/** The windows of a section, without the times that do not count. */
function windowsOf({ time_visibility_enabled: hasHours, hours }: Times): Window[] {
  if (hasHours) return hours;
  // Days alone: two windows of the same days are one.
  const days = new Map(hours.map(({ weekdays }) => [String(weekdays), weekdays]));
  return days.has('null')
    ? []
    : Array.from(days.values(), (weekdays) => ({ weekdays, time_start: null, time_end: null }));
}

/** When a section is served, as attributes that the page's script reads: see `db/hours/served.js`. */
export function servingData(section: Times): Content {
  const { time_visibility_enabled: hasHours, date_start, date_end } = section;
  const windows = windowsOf(section).map(({ weekdays, time_start, time_end }) => ({
    from: hasHours ? (time_start ?? '00:00') : undefined,
    to: hasHours ? (time_end ?? '24:00') : undefined,
    days: weekdays?.join(','),
  }));
  const [first] = windows;
  const alone = windows.length < 2 ? first : undefined;
  return [
    alone?.from !== undefined && html` data-from="${alone.from}" data-to="${alone.to ?? null}"`,
    alone?.days !== undefined && html` data-days="${alone.days}"`,
    windows.length > 1 && html` data-windows="${JSON.stringify(windows)}"`,
    date_start && html` data-first="${date_start}"`,
    date_end && html` data-last="${date_end}"`,
  ];
}

/**
 * Whether the dates of a section do not reach a day. Hours past midnight belong to the day on
 * which they began, so such a section stays for one day more.
 *
 * @param day `YYYY-MM-DD`, the restaurant's
 */
export function isOutOfDates(section: Times, day: string): boolean {
  const { time_visibility_enabled: hasHours, hours, date_start, date_end } = section;
  const isLate =
    hasHours &&
    hours.some(({ time_start, time_end }) => (time_start ?? '00:00') >= (time_end ?? '24:00'));
  const isBefore = date_start !== null && day < date_start;
  return isBefore || (date_end !== null && shiftDay(day, isLate ? -1 : 0) > date_end);
}

const weekdayFormat = memoize(
  (locale: Locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }),
);

/** 1 January 2024 was a Monday. */
const nameOf = (weekday: number, locale: Locale) =>
  weekdayFormat(locale).format(Date.UTC(2024, 0, weekday));

/** A span of time, as `12:00 – 15:00`. */
export const timeRange = (from: string, to: string) => `${from}\u2009–\u2009${to}`;

/** Days that follow each other as one range: `Mon–Fri, Sun`. */
export function dayRange(weekdays: readonly number[], locale: Locale): string {
  const runs: [number, number][] = [];
  for (const weekday of weekdays) {
    const last = runs.at(-1);
    if (last && last[1] + 1 === weekday) last[1] = weekday;
    else runs.push([weekday, weekday]);
  }
  return runs
    .map(([first, last]) => {
      const names = [nameOf(first, locale), nameOf(last, locale)];
      if (first === last) return names[0];
      return names.join(first + 1 === last ? ', ' : '\u2009–\u2009');
    })
    .join(', ');
}

const dateFormat = memoize(
  (locale: Locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
);

/** From one day to another, both `YYYY-MM-DD`. */
export function dateRange(first: string, last: string, locale: Locale): string {
  return dateFormat(locale).formatRange(Date.parse(first), Date.parse(last));
}

function dates({ date_start, date_end }: Times, locale: Locale, texts: PageTexts): string | null {
  const format = dateFormat(locale);
  if (date_start && date_end) return dateRange(date_start, date_end, locale);
  if (date_start) return texts.since.replace('{date}', format.format(Date.parse(date_start)));
  if (date_end) return texts.until.replace('{date}', format.format(Date.parse(date_end)));
  return null;
}

/** Days and hours of one window, as far as there are any. */
function windowText({ weekdays, time_start, time_end }: Window, locale: Locale): string {
  const days = weekdays && dayRange(weekdays, locale);
  const hours = time_start && time_end && timeRange(time_start, time_end);
  return [days, hours].filter(Boolean).join(', ');
}

/** The same as guests read it: dates, and the days and hours of each window. */
export function servingTimes(section: Times, locale: Locale, texts: PageTexts): string[] {
  const windows = windowsOf(section).map((window) => windowText(window, locale));
  return [dates(section, locale, texts), windows.join('; ')].filter((text): text is string =>
    Boolean(text),
  );
}
