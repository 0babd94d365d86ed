import * as v from 'valibot';
import type { Database } from '../../db/postgres/connection.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { RIGHTS } from '../../db/schema/rights.ts';
import { TRANSLATION_STATES } from '../../db/schema/translation.ts';
import { described } from '../../db/schema/validation/described-as.ts';
import { languageRule } from '../../db/schema/validation/input-fields.ts';
import { type Locale, localeSchema } from '../../db/schema/values/locale.ts';
import { resourceSchema } from '../../db/schema/values/resource.ts';
import { type MenuText, menuTexts } from '../../db/snapshot/menu-texts.ts';
import { loadMenu } from '../../db/sql/menus.ts';
import { findStalePairs } from '../../db/sql/stale-texts.ts';
import { ignoringListMetaSchema, pagingMeta } from '../http/envelope.ts';
import { unavailable } from '../http/errors.ts';
import { readQuery } from '../http/query.ts';
import { dataAnswer, guarded, successJson } from './frame/endpoints.ts';
import { pagingEntries, wordParameter } from './frame/parameters.ts';
import type { ApiRoute } from './frame/services.ts';

const querySchema = v.object({
  locale: wordParameter(localeSchema.options, 'The language of the translations.', languageRule),
  state: v.optional(wordParameter(TRANSLATION_STATES, 'Only texts in this state.')),
  ...pagingEntries,
});

const translationSchema = v.object({
  resource: described(resourceSchema, 'The kind of its record.'),
  id: v.pipe(v.number(), v.integer(), v.description('The id of its record.')),
  external_id: described(v.nullable(v.string()), 'The key of its record, or null.'),
  path: described(v.string(), 'Its field: `name`, or `variants.0.label` in an object of a list.'),
  source_locale: described(localeSchema, 'The language of the original.'),
  source: described(v.string(), 'The original.'),
  text: described(v.string(), 'The translation; empty when it is missing.'),
  state: described(
    v.picklist(TRANSLATION_STATES),
    '`missing`; `stale` when the original has changed since; or `done`.',
  ),
});

function shown({ resource, id, externalId, path, source, text, state }: MenuText) {
  const place = { resource, id, external_id: externalId, path: path.join('.') };
  return { ...place, source_locale: source.locale, source: source.text, text, state };
}

/** All texts of a menu into a language. */
export function readMenuTexts(db: Pick<Database, 'moment'>, tenantId: number, locale: Locale) {
  return db.moment(async (tx): Promise<MenuText[]> => {
    const menu = await loadMenu(tx, tenantId);
    const stale = await findStalePairs(tx, tenantId);
    return inSlices(menuTexts(menu, locale, stale));
  });
}

/** `GET /admin/translations`: every text of the menu with its translation. */
export const translationsRoute: ApiRoute = guarded('GET', '/admin/translations', RIGHTS.menu.read, {
  description: {
    id: 'listTranslations',
    tag: 'Records',
    summary: 'List the texts of the menu with their translations into a language',
    details:
      'What is missing comes first, then what is stale: its original has changed since. Write a ' +
      'translation with its record, for example by `/admin/bulk`. One that fits still is marked so at ' +
      '`/admin/translations` of the panel.',
    query: querySchema,
    answers: {
      200: {
        description: 'A page of texts.',
        json: successJson(
          'TranslationList',
          v.array(translationSchema),
          [
            {
              ...{ resource: 'items', id: 7, external_id: null, path: 'name' },
              ...{ source_locale: 'it', source: 'Gricia', text: '', state: 'missing' },
            },
          ],
          ignoringListMetaSchema,
          { total: 1, page: 1, per_page: 20, last_page: 1 },
        ),
      },
    },
    refusals: [414, 422],
  },
  call: async ({ tenant, query }, { reportDb }) => {
    const { values, ignored } = readQuery(querySchema, query);
    const { locale, state, page, per_page } = values;
    const reading = readMenuTexts(reportDb, tenant.id, locale);
    const all = await reading.catch(unavailable('could not read a menu'));
    const wanted = state === undefined ? all : all.filter((one) => one.state === state);
    const data = wanted.slice((page - 1) * per_page, page * per_page).map(shown);
    return dataAnswer(data, ignored, { meta: pagingMeta(wanted.length, page, per_page) });
  },
});
