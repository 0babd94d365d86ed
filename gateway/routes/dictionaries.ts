import * as v from 'valibot';
import {
  additives,
  allergenKinds,
  allergens,
  type Dictionary,
  dishLabels,
} from '../../db/schema/dictionary.ts';
import { described } from '../../db/schema/validation/described-as.ts';
import { FALLBACK_LOCALE, requestedLocale } from '../../db/schema/values/locale.ts';
import { wholeSlice } from '../http/joined-body.ts';
import { parseQuery } from '../http/query.ts';
import type { ApiRoute } from './frame/services.ts';
import { publicRead, wrapFragments } from './public-read.ts';

const LOCALE = 'Language of the names; Italian for one that does not exist.';
const querySchema = v.object({
  locale: v.optional(described(v.string(), LOCALE), FALLBACK_LOCALE),
});

/**
 * A dictionary is the same for every restaurant. Its names come in the locale that is asked for,
 * whether or not the restaurant's menu does; Italian by default.
 *
 * @param plural the dictionary's name in the path
 * @param component the same in the names of OpenAPI components
 */
function dictionaryRoute(
  plural: string,
  component: 'Allergens' | 'AllergenKinds' | 'Additives' | 'Labels',
  summary: string,
  dictionary: Dictionary,
): ApiRoute {
  return {
    kind: 'read',
    ...publicRead(`/${plural}`, {
      id: `list${component}`,
      summary,
      query: querySchema,
      holds: 'All of them, always in the same order.',
      name: `${component}Answer`,
      data: v.array(dictionary.entrySchema),
    }),
    read: ({ snapshot, query }, { answers }) => {
      const requested = requestedLocale(parseQuery(query).get('locale') ?? '');
      const locale = requested === 'und' ? FALLBACK_LOCALE : requested;
      const name = `${plural}/${locale}`;
      return answers.derive(snapshot, name, () => {
        const json = Buffer.from(JSON.stringify(dictionary.in(locale)));
        return wrapFragments(snapshot, wholeSlice(json), {}, name);
      });
    },
  };
}

/** `GET /allergens`, `/allergen-kinds`, `/additives` and `/labels`. */
export const dictionaryRoutes = [
  dictionaryRoute('allergens', 'Allergens', 'The dictionary of the 14 allergens', allergens),
  dictionaryRoute(
    'allergen-kinds',
    'AllergenKinds',
    'The dictionary of cereals and nuts',
    allergenKinds,
  ),
  dictionaryRoute('additives', 'Additives', 'The dictionary of additives', additives),
  dictionaryRoute('labels', 'Labels', 'The dictionary of labels', dishLabels),
];
