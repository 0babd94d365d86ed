const DAY_MS = 86_400_000;

function parts(time, timeZone) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return Object.assign(
    {},
    ...format.formatToParts(time).map(({ type, value }) => ({ [type]: value })),
  );
}

/** The day and the time on the clocks of a time zone, as `YYYY-MM-DD` and `HH:MM`. */
export function localMoment(time, timeZone) {
  const { year, month, day, hour, minute } = parts(time, timeZone);
  return { day: `${year}-${month}-${day}`, time: `${hour}:${minute}` };
}

/** The day that lies `days` after `day`, both `YYYY-MM-DD`. */
export const laterDay = (day, days) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** From 1, Monday, to 7. */
export const weekdayOf = (day) => new Date(Date.parse(day)).getUTCDay() || 7;

/**
 * The day on which the present hours have begun; null outside of them. Hours may pass midnight, and
 * last for a whole day.
 */
function servingDay({ from, to }, { day, time }) {
  if (from === undefined) return day;
  if (from < to) return from <= time && time < to ? day : null;
  if (time >= from) return day;
  return time < to ? laterDay(day, -1) : null;
}

/** The windows of a section's times: several, or the one that stands in the attributes itself. */
const windowsOf = (times) => (times.windows ? JSON.parse(times.windows) : [times]);

/** Whether a window holds that began on a day on which the section is served. */
function holds(window, { first, last }, now) {
  const day = servingDay(window, now);
  if (day === null) return false;
  const { days } = window;
  if (days !== undefined && !days.split(',').includes(String(weekdayOf(day)))) return false;
  return (first === undefined || first <= day) && (last === undefined || day <= last);
}

/**
 * Whether a section is served. Hours past midnight belong to the day on which they began.
 *
 * @param times `from` and `to` as `HH:MM` and `days` as `1,2,7`, or several of them as JSON in
 *   `windows`; `first` and `last` as `YYYY-MM-DD`, the last day included; each may be missing
 * @param now what `localMoment` returns
 */
export function isServed(times, now) {
  return windowsOf(times).some((window) => holds(window, times, now));
}

/**
 * Whether the dates of a section reach the present day. Hours past midnight belong to the day on which
 * they began.
 */
export function isInDates(times, now) {
  const { first, last } = times;
  const days = windowsOf(times).map((window) => servingDay(window, now) ?? now.day);
  return days.some(
    (day) => (first === undefined || first <= day) && (last === undefined || day <= last),
  );
}
