import { openingState } from '../../../db/hours/opening.js';
import { weekdayOf } from '../../../db/hours/served.js';
import { shiftDay } from '../../../db/runtime/day.ts';
import { toLocal, toUtc } from '../../../db/runtime/zone-clock.ts';
import { listOpeningTimes, type OpeningTime } from '../../../db/sql/listed-records.ts';
import { findHouseHours, type HouseHours } from '../../../db/sql/tenants.ts';
import { DAY_ENDS, houseDay, soldOutEnd } from '../../display/parts/sold-out.ts';
import type { Desk } from '../desk.ts';
import { dateLocale } from '../texts/choose.ts';

/** For how long a dish is sold out, as the buttons say. */
export const SPANS = ['today', 'tomorrow', 'open'] as const;
/** The page of service offers the next opening of the same day, too. */
export const SERVICE_SPANS = ['tonight', ...SPANS] as const;
export type Span = (typeof SERVICE_SPANS)[number];

/** The openings where neither the house nor a section says when they are. */
const USUAL_OPENING = '10:00';
const USUAL_EVENING = '18:00';

/** When sections are served on a day, `HH:MM`, the earliest first. */
function startsOn(day: string, times: readonly OpeningTime[]): string[] {
  const weekday = weekdayOf(day);
  return times
    .filter(({ weekdays }) => weekdays === null || weekdays.includes(weekday))
    .map(({ time_start }) => time_start)
    .sort((left, right) => left.localeCompare(right));
}

/** When the house states its hours: its first opening from the early morning of `day` on. */
function houseOpening(day: string, house: HouseHours) {
  const { isOpen, change } = openingState(house, { day, time: DAY_ENDS });
  return isOpen === false ? change : null;
}

/** The next opening of the same day: that of the evening, at lunch. Null when there is none. */
function laterOpening(
  now: { day: string; time: string },
  times: readonly OpeningTime[],
  house: HouseHours,
) {
  const { isOpen, change } = openingState(house, now);
  if (isOpen !== null) {
    const next = isOpen && change ? openingState(house, change).change : change;
    return next?.day === now.day ? next : null;
  }
  const next = startsOn(now.day, times).find((start) => start > now.time);
  const time = times.length === 0 ? USUAL_EVENING : (next ?? '');
  return time > now.time ? { day: now.day, time } : null;
}

/**
 * Until when a dish is sold out that is so from now on, as the API takes it. "Tomorrow" is the house's
 * next opening after today; where it states no hours, the first section's of tomorrow.
 *
 * @param now in ms since 1970
 * @param times at which sections are served
 */
export function endAfterSpan(
  span: Span,
  timezone: string,
  now: number,
  times: readonly OpeningTime[],
  house: HouseHours,
): string {
  if (span === 'open') return 'indefinitely';
  const [date = '', time = ''] = toLocal(new Date(now).toISOString(), timezone).split('T');
  const tomorrow = shiftDay(time < DAY_ENDS ? shiftDay(date, -1) : date, 1);
  const night = { day: tomorrow, time: DAY_ENDS };
  const openings = {
    tonight: () => laterOpening({ day: date, time }, times, house) ?? night,
    today: () => night,
    tomorrow: () => houseOpening(tomorrow, house),
  };
  const opening = openings[span]();
  const { day, time: at } = opening ?? {
    day: tomorrow,
    time: startsOn(tomorrow, times)[0] ?? USUAL_OPENING,
  };
  return toUtc(`${day}T${at}`, timezone);
}

/** The end for a span from now on, or from another moment, as the API takes it. */
export async function endOfSpan({ db, session, now, tenantId }: Desk, span: Span, at = now()) {
  const [times, house] = await Promise.all([
    listOpeningTimes(db, tenantId),
    findHouseHours(db, tenantId),
  ]);
  return endAfterSpan(span, session.timezone, at, times, house);
}

/** Until when a dish is sold out, in the page's language; null for one that is not. */
export function soldOutText(
  { request, session, now, say }: Desk,
  isSoldOut: boolean,
  end: Date | null,
): string | null {
  const { language } = request;
  if (!isSoldOut) return null;
  if (end === null) return say('service.untilBack');
  const { timezone } = session;
  const today = houseDay(new Date(now()), timezone);
  const { text, ...values } = soldOutEnd(end, today, timezone, dateLocale(language));
  return say(`service.${text}`, values);
}
