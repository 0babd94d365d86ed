import type { Fields } from './field.ts';
import { date, requiredDate, requiredTime, translations, weekdays } from './kinds.ts';
import { list } from './lists.ts';
import { broken } from './validation/rule.ts';

// The hours of a restaurant: windows that repeat every week, and days on which it is closed.

/** Days and a span of time. One that ends at its beginning or earlier goes on past midnight. */
const window = {
  weekdays: weekdays({
    label: 'fields.hours.weekdays',
    description: 'The days on which it begins, from 1, Monday, to 7; null for all.',
  }),
  time_start: requiredTime({
    label: 'fields.hours.time_start',
    description: '`HH:MM` in the restaurant’s local time.',
  }),
  time_end: requiredTime({
    label: 'fields.hours.time_end',
    description:
      '`HH:MM`; not after `time_start` it is a time of the next day, and at the same time a whole day.',
  }),
} satisfies Fields;

export const openingHours = list(
  window,
  { max: 30 },
  {
    label: 'fields.settings.opening_hours',
    description: 'When the restaurant is open: windows of a week, several a day.',
  },
);

const closure = {
  date_start: requiredDate({
    label: 'fields.hours.date_start',
    description: 'The first day, `YYYY-MM-DD`.',
  }),
  date_end: date({
    label: 'fields.hours.date_end',
    description: 'The last day; `date_start` when it is not sent.',
  }),
  text: translations(300, {
    label: 'fields.hours.text',
    description: 'What guests read about it.',
  }),
} satisfies Fields;

export const closures = list(
  closure,
  {
    max: 60,
    complete: ({ date_start, date_end }) => ({ date_end: date_end ?? date_start }),
    check: ({ date_start, date_end }) =>
      String(date_end) < String(date_start)
        ? { part: 'date_end', broken: broken('notBefore', { date: String(date_start) }) }
        : null,
  },
  {
    label: 'fields.settings.closures',
    description: 'Days on which the restaurant is closed whatever its hours say.',
  },
);
