import { laterDay, weekdayOf } from './served.js';

const DAY_MINUTES = 1_440;
/** A restaurant that is open for so many days has no end of its hours, in days. */
const ALWAYS = 8;
/** A closure may last for a season: so many days are looked through for the next opening. */
const LOOK_AHEAD = 400;

const minutesOf = (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const two = (number) => String(number).padStart(2, '0');

function momentOf(today, minutes) {
  const rest = minutes % DAY_MINUTES;
  const time = `${two(Math.floor(rest / 60))}:${two(rest % 60)}`;
  return { day: laterDay(today, Math.floor(minutes / DAY_MINUTES)), time };
}

/** The closure that a day lies in. */
function closureOn({ closures }, day) {
  return closures.find(
    ({ date_start, date_end }) => date_start <= day && day <= (date_end ?? date_start),
  );
}

/** The hours that a day has of its own: they stand in place of the week's, and of a closure. */
const ownHours = ({ special_hours = [] }, day) => special_hours.filter(({ date }) => date === day);

/** The windows that begin on a day. */
function windowsOn(hours, day) {
  const own = ownHours(hours, day);
  if (own.length > 0 || closureOn(hours, day)) return own;
  return hours.opening_hours.filter(
    ({ weekdays }) => weekdays === null || weekdays.includes(weekdayOf(day)),
  );
}

/** The spans that begin so many days from today, in minutes since its beginning. */
function spansOf(hours, today, ahead) {
  return windowsOn(hours, laterDay(today, ahead)).map(({ time_start, time_end }) => {
    const [from, to] = [minutesOf(time_start), minutesOf(time_end)];
    const start = ahead * DAY_MINUTES;
    return [start + from, start + to + (to > from ? 0 : DAY_MINUTES)];
  });
}

/** When spans that follow each other end; null when they go on for days. */
function endOf(hours, today, at) {
  let end = at;
  for (let ahead = -1; ahead <= ALWAYS; ahead += 1) {
    const spans = spansOf(hours, today, ahead).sort(([left], [right]) => left - right);
    for (const [start, stop] of spans) if (start <= end && stop > end) end = stop;
  }
  return end > ALWAYS * DAY_MINUTES ? null : end;
}

function nextStart(hours, today, at) {
  for (let ahead = 0; ahead <= LOOK_AHEAD; ahead += 1) {
    const starts = spansOf(hours, today, ahead).map(([start]) => start);
    const next = Math.min(...starts.filter((start) => start > at));
    if (Number.isFinite(next)) return next;
  }
  return null;
}

/**
 * Whether a restaurant is open, and when that changes.
 *
 * @param hours `opening_hours`, `closures` and `special_hours` as its settings have them
 * @param now what `localMoment` returns
 * @returns `isOpen`, null for a restaurant that states no hours; `change`: the day and time at which it
 *   closes or opens again, null when that is not known; `closure`: the one that today lies in
 */
export function openingState(hours, now) {
  const { day, time } = now;
  const isOwn = ownHours(hours, day).length > 0;
  const closure = (!isOwn && closureOn(hours, day)) || null;
  const at = minutesOf(time);
  const end = endOf(hours, day, at);
  const isOpen = end !== at;
  if (!isOpen && !isOwn && hours.opening_hours.length === 0) {
    return { isOpen: closure ? false : null, change: null, closure };
  }
  const change = isOpen ? end : nextStart(hours, day, at);
  return { isOpen, change: change === null ? null : momentOf(day, change), closure };
}

/** A day as guests read it: its weekday when it is near, else its date. */
function dayText(day, today, locale) {
  const isNear = day < laterDay(today, 7);
  const words = isNear ? { weekday: 'long' } : { day: 'numeric', month: 'long' };
  return new Intl.DateTimeFormat(locale, { ...words, timeZone: 'UTC' }).format(Date.parse(day));
}

/**
 * The same in words, such as `Open until 23:00` or `Closed, opens again Thursday 12:00`; empty when
 * nothing is known.
 *
 * @param state what `openingState` returns for `now`
 * @param texts the page's `open`, `openUntil`, `opensAt`, `opensOn` and `closedNow`
 */
export function sayOpening({ isOpen, change }, now, texts, locale) {
  if (isOpen === null) return '';
  if (change === null) return isOpen ? texts.open : texts.closedNow;
  const { day, time } = change;
  if (isOpen) {
    const isSoon = day === now.day || (day === laterDay(now.day, 1) && time <= now.time);
    return isSoon ? texts.openUntil.replace('{time}', time) : texts.open;
  }
  if (day === now.day) return texts.opensAt.replace('{time}', time);
  return texts.opensOn.replace('{day}', dayText(day, now.day, locale)).replace('{time}', time);
}
