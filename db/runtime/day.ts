/** In ms. */
export const DAY = 86_400_000;

/** The day of a moment in UTC, `YYYY-MM-DD`. @param time milliseconds since 1970 */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The day that lies `days` after `day`, both `YYYY-MM-DD`. */
export function shiftDay(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY);
}

/** Whether `YYYY-MM-DD` is a day of the calendar; JavaScript takes 31 November for 1 December. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && dayOf(time) === text;
}
