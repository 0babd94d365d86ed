import { allergenDictionary } from '../../db/schema/allergen.ts';
import { FALLBACK_LOCALE, isLocale } from '../../db/schema/locale.ts';
import { wholeSlice } from '../http/joined-body.ts';
import { parseQuery } from '../http/query.ts';
import type { ReadRoute } from '../pipeline/route.ts';
import type { DerivedAnswers } from '../snapshots/derived-answers.ts';
import { wrapFragments } from './envelope.ts';

/**
 * `GET /allergens`: the dictionary, the same for every restaurant. Its labels come in the locale
 * that is asked for, whether or not the restaurant's menu does; Italian by default.
 */
export function createAllergensRoute(answers: DerivedAnswers): ReadRoute {
  return {
    kind: 'read',
    method: 'GET',
    path: '/allergens',
    locale: () => null,
    read: ({ snapshot, query }) => {
      const requested = parseQuery(query).get('locale') ?? FALLBACK_LOCALE;
      const locale = isLocale(requested) ? requested : FALLBACK_LOCALE;
      const name = `allergens/${locale}`;
      return answers.derive(snapshot, name, () => {
        const json = Buffer.from(JSON.stringify(allergenDictionary(locale)));
        return wrapFragments(snapshot, wholeSlice(json), {}, name);
      });
    },
  };
}
