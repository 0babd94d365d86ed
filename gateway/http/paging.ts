import * as v from 'valibot';
import { bounds } from '../../db/bounds.ts';

/** A whole number within its range: out of it the nearest end, no number at all the default. */
function clamped(byDefault: number, min: number, max: number) {
  return v.pipe(
    v.optional(v.string(), String(byDefault)),
    v.transform((text) => (/^[+-]?[0-9]+$/.test(text) ? Number(text) : byDefault)),
    v.transform((number) => Math.min(Math.max(number, min), max)),
  );
}

/** The parameters of every paged list; `page` counts from 1. */
export const pagingEntries = {
  page: clamped(1, 1, Number.MAX_SAFE_INTEGER),
  per_page: clamped(bounds.defaultPerPage, 1, bounds.maxPerPage),
};

/** What a paged list says about itself (SPEC, "`/items` `meta` fields"). */
export function pagingMeta(total: number, page: number, per_page: number) {
  return { total, page, per_page, last_page: Math.max(1, Math.ceil(total / per_page)) };
}
