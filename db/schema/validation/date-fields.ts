import * as v from 'valibot';
import { isDay } from '../../runtime/day.ts';
import { describedAs } from './described-as.ts';
import { distinctInput, integer } from './input-fields.ts';
import { rule } from './rule.ts';

/** `YYYY-MM-DDTHH:MM:SS+00:00`, the form of `generated_at` in every answer (SPEC, "Envelope"). */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

// Times, dates and days of bodies of the admin API; see `input-fields.ts`.

/** `HH:MM` or null. */
export function nullableTime(form: RegExp) {
  return v.pipe(
    v.nullable(v.string('string')),
    describedAs({ pattern: form.source }),
    v.transform((given) => given?.trim() ?? null),
    v.check((given) => given === null || form.test(given), rule('dateFormat', { format: 'HH:MM' })),
  );
}

/** Postgres has no year 0. */
const EARLIEST = '0001-01-01';

/** `YYYY-MM-DD` */
export function dateInput() {
  const broken = rule('dateFormat', { format: 'YYYY-MM-DD' });
  return v.pipe(
    v.string('string'),
    v.trim(),
    v.regex(/^\d{4}-\d{2}-\d{2}$/, broken),
    describedAs({ type: 'string', format: 'date' }),
    v.check((given) => isDay(given) && given >= EARLIEST, broken),
  );
}

/** In ISO 8601 with an offset; its day may not be one of the calendar. */
export const MOMENT =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;
/** How Postgres writes a moment that never comes. */
export const NEVER = 'infinity';

/** A moment in ISO 8601 with an offset, `indefinitely`, or null; becomes UTC in whole seconds. */
export function nullableMoment() {
  return v.pipe(
    v.nullable(v.string('string')),
    describedAs({
      type: ['string', 'null'],
      description: 'A time in ISO 8601 with an offset, or `indefinitely`.',
    }),
    v.transform((given) => given?.trim() ?? null),
    v.check(
      (given) => given === null || given === 'indefinitely' || isMoment(given),
      rule('dateFormat', { format: 'ISO 8601' }),
    ),
    v.transform((given) => {
      if (given === null) return null;
      return given === 'indefinitely' ? NEVER : isoSeconds(Date.parse(given));
    }),
  );
}

/** A moment in ISO 8601 with an offset, or null; becomes UTC in whole seconds. */
export function nullableInstant() {
  return v.nullable(
    v.pipe(
      v.string('string'),
      v.trim(),
      describedAs({ type: 'string', format: 'date-time' }),
      v.check(isMoment, rule('dateFormat', { format: 'ISO 8601' })),
      v.transform((given) => isoSeconds(Date.parse(given))),
    ),
  );
}

/** Whether a text is a moment in ISO 8601 with an offset, of a year that Postgres has. */
export function isMoment(given: string): boolean {
  if (!MOMENT.test(given) || !isDay(given.slice(0, 10))) return false;
  const time = Date.parse(given);
  // An offset may move it to a year before the first or after the last.
  return time >= Date.parse(EARLIEST) && time <= Date.parse('9999-12-31T23:59:59.999Z');
}

/** A time in milliseconds since 1970, as UTC in whole seconds. */
export function isoSeconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Days of the week from 1, Monday, to 7 in their order, or null; no day is null too. */
export function nullableWeekdays() {
  return v.pipe(
    distinctInput(7, integer(1, 7), { type: 'integer', minimum: 1, maximum: 7 }),
    v.transform((days) => (days.length === 0 ? null : days.toSorted((a, b) => a - b))),
  );
}

/** A moment of the database as ISO 8601 writes it. */
export const isoDate = v.pipe(
  v.date(),
  v.transform((at) => at.toISOString()),
);
