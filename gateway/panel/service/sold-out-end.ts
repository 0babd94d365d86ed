import { openingState } from '../../../db/hours/opening.js';
import { shiftDay } from '../../../db/runtime/day.ts';
import { listOpeningTimes, type OpeningTime } from '../../../db/sql/dishes.ts';
import { findHouseHours, type HouseHours } from '../../../db/sql/tenants.ts';
import { DAY_ENDS, soldOutDate } from '../../display/parts/sold-out-date.ts';
import type { Desk } from '../desk.ts';
import { toLocal, toUtc } from '../forms/local-moment.ts';
import { dateLocale } from '../texts/choose.ts';

/** For how long a dish is sold out, as the buttons say. */
export const SPANS = ['today', 'tomorrow', 'open'] as const;
export type Span = (typeof SPANS)[number];

/** The opening where neither the house nor a section says when it is. */
const USUAL_OPENING = '10:00';

/** The weekday of `YYYY-MM-DD`, from 1, Monday, to 7. */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** When the first section is served on a day, `HH:MM`. */
function openingOn(day: string, times: readonly OpeningTime[]): string {
  const weekday = weekdayOf(day);
  const starts = times
    .filter(({ weekdays }) => weekdays === null || weekdays.includes(weekday))
    .map(({ time_start }) => time_start);
  return starts.sort((left, right) => left.localeCompare(right))[0] ?? USUAL_OPENING;
}

/** When the house states its hours: its first opening from the early morning of `day` on. */
function houseOpening(day: string, house: HouseHours) {
  const { isOpen, change } = openingState(house, { day, time: DAY_ENDS });
  return isOpen === false ? change : null;
}

/**
 * Until when a dish is sold out that is so from now on, as the API takes it. "Tomorrow" is the house's
 * next opening after today; where it states no hours, the first section's of tomorrow.
 *
 * @param now in ms since 1970
 * @param times at which sections are served
 */
export function soldOutEnd(
  span: Span,
  timezone: string,
  now: number,
  times: readonly OpeningTime[],
  house: HouseHours,
): string {
  if (span === 'open') return 'indefinitely';
  const [date = '', time = ''] = toLocal(new Date(now).toISOString(), timezone).split('T');
  const today = time < DAY_ENDS ? shiftDay(date, -1) : date;
  const tomorrow = shiftDay(today, 1);
  const opening =
    span === 'today' ? { day: tomorrow, time: DAY_ENDS } : houseOpening(tomorrow, house);
  const { day, time: at } = opening ?? { day: tomorrow, time: openingOn(tomorrow, times) };
  return toUtc(`${day}T${at}`, timezone);
}

/** The end for a span from now on, as the API takes it. */
export async function endOfSpan({ db, request, session, now }: Desk, span: Span): Promise<string> {
  const [times, house] = await Promise.all([
    listOpeningTimes(db, request.tenantId),
    findHouseHours(db, request.tenantId),
  ]);
  return soldOutEnd(span, session.timezone, now(), times, house);
}

/** Until when a dish is sold out, in the page's language; null for one that is not. */
export function soldOutText(
  { request, session }: Desk,
  isSoldOut: boolean,
  end: Date | null,
): string | null {
  const { say, language } = request;
  if (!isSoldOut) return null;
  if (end === null) return say('service.untilBack');
  return say('service.until', { date: soldOutDate(end, session.timezone, dateLocale(language)) });
}
