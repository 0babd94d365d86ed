import * as v from 'valibot';
import { described } from '../../db/schema/validation/described-as.ts';
import { type RequestedLocale, requestedLocale } from '../../db/schema/values/locale.ts';
import { parseQuery } from '../http/query.ts';

const LOCALE =
  'Language of the texts; by default the restaurant’s own, and Italian for one that it does not have.';

/** The parameter `locale` of public reads. */
export const localeEntry = { locale: v.optional(described(v.string(), LOCALE)) };

/** The parameter as it may be written: its letters may be hidden behind percent signs. */
const LOCALE_PAIR =
  /(?<=^|&)(?:l|%6[Cc])(?:o|%6[Ff])(?:c|%63)(?:a|%61)(?:l|%6[Cc])(?:e|%65)(?:=[^&]*)?(?=&|$)/g;

/**
 * The language that a query asks for; null is the restaurant's default. Asked before the limit: for a
 * request that is refused the query must not be taken apart.
 */
export function localeIn(query: string): RequestedLocale | null {
  const last = query.match(LOCALE_PAIR)?.at(-1);
  const requested = last && parseQuery(last).get('locale');
  if (requested === undefined) return null;
  return requestedLocale(requested);
}
