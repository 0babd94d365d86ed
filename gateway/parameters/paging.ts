import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { describedAs } from '../../db/schema/validation/described-as.ts';

/** A whole number within its range: out of it the nearest end, no number at all the default. */
function clamped(byDefault: number, min: number, max: number, description: string) {
  return v.pipe(
    v.optional(v.string(), String(byDefault)),
    describedAs({ type: 'integer', minimum: min, maximum: max, default: byDefault, description }),
    v.transform((text) => (/^[+-]?[0-9]+$/.test(text) ? Number(text) : byDefault)),
    v.transform((number) => Math.min(Math.max(number, min), max)),
  );
}

const PAGE =
  'Which page, from 1; anything else is the first one, and past the end is an empty one.';
const PER_PAGE = 'Entries of a page; out of range is the nearest end.';

/** The parameters of every paged list. */
export const pagingEntries = {
  page: clamped(1, 1, Number.MAX_SAFE_INTEGER, PAGE),
  per_page: clamped(constants.defaultPerPage, 1, constants.maxPerPage, PER_PAGE),
};
