import { type Row, rowsIn } from '../schema/values/row.ts';

// The hours of Lavagna are windows of days; those of most services are spans of one day that end at
// 23:59. Both become minutes of each day here, and back.

/** Minutes from midnight; `to` is 1,440 at the end of a day. */
export interface DaySpan {
  from: number;
  to: number;
}

/** The spans of each day, from Monday. */
export type Week = readonly (readonly DaySpan[])[];

/** In minutes. */
export const DAY_END = 1_440;

/** Days from Monday, as most services name them, in small or capital letters. */
export const DAYS = [
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
];

/** The day of a name, 0 for Monday; -1 for what is none. */
export const dayNamed = (name: unknown) => DAYS.indexOf(String(name).trim().toLowerCase());

const minutesOf = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

const two = (number: number) => String(number).padStart(2, '0');

/** `HH:MM`; the end of a day is 00:00. */
export const timeOf = (minutes: number) =>
  `${two(Math.floor((minutes % DAY_END) / 60))}:${two(minutes % 60)}`;

/** `HH:MM` at which a span ends for services that know no 24:00. */
export const endOf = ({ to }: DaySpan) => (to === DAY_END ? '23:59' : timeOf(to));

/** Spans in their order, those that touch or overlap joined. */
function joined(spans: readonly DaySpan[]): DaySpan[] {
  const found: DaySpan[] = [];
  for (const span of spans.toSorted((left, right) => left.from - right.from)) {
    const last = found.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else if (span.to > span.from) found.push({ ...span });
  }
  return found;
}

export type SpanOfDay = DaySpan & { day: number };

/** The span between two times of a day; none where one is not known. 23:59 and 24:00 end a day. */
export function readSpan(day: number, start: unknown, end: unknown): SpanOfDay[] {
  const form = /^([01]?\d|2[0-4]):([0-5]\d)/;
  if (!DAYS[day] || !form.test(String(start)) || !form.test(String(end))) return [];
  const from = minutesOf(String(start).slice(0, 5));
  const to = minutesOf(String(end).slice(0, 5));
  const last = to === DAY_END - 1 || to === 0 ? DAY_END : to;
  return from <= DAY_END && last <= DAY_END ? [{ day, from, to: last }] : [];
}

/** Spans of days as a week; a span that ends before it begins goes on past midnight. */
function weekFrom(spans: readonly SpanOfDay[]): Week {
  const days: DaySpan[][] = Array.from({ length: 7 }, () => []);
  for (const { day, from, to } of spans) {
    if (to > from) days[day]?.push({ from, to });
    else {
      days[day]?.push({ from, to: DAY_END });
      days[(day + 1) % 7]?.push({ from: 0, to });
    }
  }
  return days.map(joined);
}

const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];

/** The spans of windows, which may go on past midnight. */
export function weekOf(windows: unknown): Week {
  const spans = rowsIn(windows).flatMap(({ weekdays, time_start: start, time_end: end }) => {
    const isTimed = typeof start === 'string' && typeof end === 'string';
    const [from, to] = isTimed ? [minutesOf(start), minutesOf(end)] : [0, DAY_END];
    const days = Array.isArray(weekdays) ? (weekdays as number[]) : ALL_DAYS;
    return days.map((weekday) => ({ day: weekday - 1, from, to }));
  });
  return weekFrom(spans);
}

const isWhole = ({ from, to }: DaySpan) => from === 0 && to === DAY_END;

/** The windows of a week: spans around midnight joined, and days with the same span together. */
function windowsOf(week: Week): Row[] {
  const days = week.map((spans) => [...spans]);
  const found = new Map<string, { days: number[]; start: string | null; end: string | null }>();
  const add = (day: number, start: string | null, end: string | null) => {
    const key = `${start}-${end}`;
    const known = found.get(key) ?? { days: [], start, end };
    known.days.push(day + 1);
    found.set(key, known);
  };
  week.forEach((spans, day) => {
    const next = days[(day + 1) % 7] ?? [];
    for (const span of spans) {
      if (!days[day]?.includes(span)) continue;
      const [early] = next;
      const goesOn =
        span.to === DAY_END && span.from > 0 && early?.from === 0 && early.to < span.from;
      if (isWhole(span)) add(day, null, null);
      else add(day, timeOf(span.from), timeOf(goesOn ? early.to : span.to));
      if (goesOn) next.shift();
    }
  });
  return [...found.values()].map(({ days: on, start, end }) => {
    const sorted = on.toSorted((left, right) => left - right);
    return { weekdays: on.length === 7 ? null : sorted, time_start: start, time_end: end };
  });
}

/** Whether a week has hours on every minute. */
export const isAlways = (week: Week) => week.every(([span]) => span !== undefined && isWhole(span));

/** The windows of spans; undefined for none. */
export function windowsFrom(spans: readonly SpanOfDay[]): Row[] | undefined {
  return spans.length > 0 ? windowsOf(weekFrom(spans)) : undefined;
}

/** The windows of spans; undefined also where they are always, which says nothing. */
export function limitedWindows(spans: readonly SpanOfDay[]): Row[] | undefined {
  const week = weekFrom(spans);
  return spans.length === 0 || isAlways(week) ? undefined : windowsOf(week);
}
