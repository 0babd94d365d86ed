import * as v from 'valibot';
import { constants } from '../../../db/runtime/constants.ts';
import { isMoment } from '../../../db/schema/validation/date-fields.ts';
import { described, describedAs } from '../../../db/schema/validation/described-as.ts';
import { oneOfRule, rule } from '../../../db/schema/validation/rule.ts';

/** A whole number from 1 to `max`: out of it the nearest end, no number at all the default. */
export function clampedParameter(byDefault: number, max: number, description: string) {
  return v.pipe(
    v.optional(v.string(), String(byDefault)),
    describedAs({ type: 'integer', minimum: 1, maximum: max, default: byDefault, description }),
    v.transform((text) => (/^[+-]?[0-9]+$/.test(text) ? Number(text) : byDefault)),
    v.transform((number) => Math.min(Math.max(number, 1), max)),
  );
}

const PAGE =
  'Which page, from 1; anything else is the first one, and past the end is an empty one.';
const PER_PAGE = 'Entries of a page; out of range is the nearest end.';

/** The parameters of every paged list. */
export const pagingEntries = {
  page: clampedParameter(1, Number.MAX_SAFE_INTEGER, PAGE),
  per_page: clampedParameter(constants.defaultPerPage, constants.maxPerPage, PER_PAGE),
};

/** A truth value as queries write it (DESIGN, "booleans in a query"). */
export function flagParameter(description: string) {
  return v.pipe(
    v.picklist(['0', '1', 'true', 'false'], rule('boolean')),
    v.description(description),
    v.transform((text) => text === '1' || text === 'true'),
  );
}

/** The same, false where it is not given. */
export const switchParameter = (description: string) => v.optional(flagParameter(description), '0');

/** One of a few words. */
export function wordParameter<const T extends readonly string[]>(
  words: T,
  description: string,
  broken = oneOfRule(words),
) {
  return described(v.picklist(words, broken), description);
}

const MOST = Number.MAX_SAFE_INTEGER;

/** A parameter that is a whole number or absent; one that no record has finds nothing. */
export function integerParameter(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[+-]?[0-9]+$/, rule('integer')),
      describedAs({ type: 'integer', description }),
      // Beyond that one is like another, and Postgres would not read it.
      v.transform((digits) => Math.max(-MOST, Math.min(Number(digits), MOST))),
    ),
  );
}

/** A moment in ISO 8601, or none. In a query a plus that was not encoded arrives as a space. */
export function momentParameter(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.replace(/ (?=\d{2}:?\d{2}$)/, '+')),
      v.check(isMoment, rule('dateFormat', { format: 'ISO 8601' })),
      describedAs({ type: 'string', format: 'date-time', description }),
    ),
  );
}

/** Words of a list with commas between them, or none. */
export function keysParameter(keys: readonly string[], description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      describedAs({
        type: 'string',
        description: `${description} Keys: ${keys.map((key) => `\`${key}\``).join(', ')}.`,
      }),
      v.transform((text) => text.split(',').flatMap((key) => key.trim() || [])),
      v.check((given) => given.every((key) => keys.includes(key)), 'invalid'),
    ),
  );
}
