import type { Fields } from './field.ts';
import {
  date,
  localizedText,
  requiredDate,
  requiredTime,
  sparse,
  time,
  weekdays,
} from './kinds.ts';
import { list } from './lists.ts';
import { broken } from './validation/rule.ts';

// The hours of a restaurant: windows that repeat every week, those of single days, and days on which it
// is closed.

/** Days and a span of time. One that ends at its beginning or earlier goes on past midnight. */
const window = {
  weekdays: weekdays('The days on which it begins, from 1, Monday, to 7; null for all.'),
  time_start: requiredTime('`HH:MM` in the restaurant’s local time.'),
  time_end: requiredTime(
    '`HH:MM`; not after `time_start` it is a time of the next day, and at the same time a whole day.',
  ),
} satisfies Fields;

export const openingHours = list(
  window,
  { topic: 'hours', max: 30 },
  'When the restaurant is open: windows of a week, several a day.',
);

const closure = {
  date_start: requiredDate('The first day, `YYYY-MM-DD`.'),
  date_end: date('The last day; `date_start` when it is not sent.'),
  text: localizedText(300, 'What guests read about it.'),
} satisfies Fields;

export const closures = list(
  closure,
  {
    topic: 'hours',
    max: 60,
    complete: ({ date_start, date_end }) => ({ date_end: date_end ?? date_start }),
    check: ({ date_start, date_end }) =>
      String(date_end) < String(date_start)
        ? { part: 'date_end', broken: broken('notBefore', { date: String(date_start) }) }
        : null,
  },
  'Days on which the restaurant is closed whatever its hours say.',
);

const ofDay = {
  date: requiredDate('The day, `YYYY-MM-DD`.'),
  time_start: window.time_start,
  time_end: window.time_end,
  text: localizedText(300, 'What guests read about it.'),
} satisfies Fields;

export const specialHours = sparse(
  list(
    ofDay,
    { topic: 'hours', max: 60 },
    'Hours of single days, several spans a day. On that day they stand in place of ' +
      '`opening_hours` and `closures`.',
  ),
);

/** Hours of a section: days, a span of time, or both. */
const sectionWindow = {
  weekdays: weekdays('The days on which it begins, from 1, Monday, to 7; null for all.'),
  time_start: time(
    '`HH:MM` in the restaurant’s local time; null, as `time_end` then is, for whole days.',
  ),
  time_end: time('`HH:MM`; not after `time_start` it is a time of the next day.'),
} satisfies Fields;

const required = broken('required');

/** A section's windows. Its row has the first one in fields of its own, and the others here. */
export const sectionHours = list(
  sectionWindow,
  {
    topic: 'hours',
    max: 8,
    check: ({ weekdays: days, time_start, time_end }) => {
      if (time_start === null && (days === null || time_end !== null)) {
        return { part: 'time_start', broken: required };
      }
      return time_end === null && time_start !== null
        ? { part: 'time_end', broken: required }
        : null;
    },
  },
  'When displays show it: one of the windows holds. `weekdays`, `time_start` and `time_end` are ' +
    'the first one: writing them changes it, or empties the list when they are all null. A body that ' +
    'changes both in different ways is refused. Without `time_visibility_enabled`, new hours set it.',
);
