/** Whether `YYYY-MM-DD` is a day of the calendar; JavaScript takes 31 November for 1 December. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
