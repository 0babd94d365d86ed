import * as v from 'valibot';
import { allergenDictionary, allergenSchema } from '../../db/schema/allergen.ts';
import { FALLBACK_LOCALE, isLocale } from '../../db/schema/locale.ts';
import { wholeSlice } from '../http/joined-body.ts';
import { parseQuery } from '../http/query.ts';
import { wrapFragments } from './fragments.ts';
import { publicRead } from './public-read.ts';
import type { ApiRoute } from './services.ts';

const LOCALE = 'Language of the labels; Italian for one that does not exist.';
const querySchema = v.object({
  locale: v.optional(v.pipe(v.string(), v.description(LOCALE)), FALLBACK_LOCALE),
});

/**
 * `GET /allergens`: the dictionary, the same for every restaurant. Its labels come in the locale
 * that is asked for, whether or not the restaurant's menu does; Italian by default.
 */
export const allergensRoute: ApiRoute = {
  kind: 'read',
  locale: () => null,
  ...publicRead('/allergens', {
    id: 'listAllergens',
    summary: 'The dictionary of the 14 allergens',
    query: querySchema,
    holds: 'All of them, always in the same order.',
    name: 'AllergensAnswer',
    data: v.array(allergenSchema),
  }),
  read: ({ snapshot, query }, { answers }) => {
    const requested = parseQuery(query).get('locale') ?? FALLBACK_LOCALE;
    const locale = isLocale(requested) ? requested : FALLBACK_LOCALE;
    const name = `allergens/${locale}`;
    return answers.derive(snapshot, name, () => {
      const json = Buffer.from(JSON.stringify(allergenDictionary(locale)));
      return wrapFragments(snapshot, wholeSlice(json), {}, name);
    });
  },
};
