import * as v from 'valibot';
import { type Checked, checkMenu, remindersOf } from '../../db/law/checklist.ts';
import { RULES_AS_OF } from '../../db/law/laws.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { RIGHTS } from '../../db/schema/rights.ts';
import { described } from '../../db/schema/validation/described-as.ts';
import { loadMenu } from '../../db/sql/menus.ts';
import { PANEL_LANGUAGES, type PanelLanguage, panelLanguage } from '../../db/texts/catalogues.ts';
import { sayIn } from '../../db/texts/say.ts';
import { localTime } from '../analytics/local-time.ts';
import { metaSchema } from '../http/envelope.ts';
import { unavailable } from '../http/errors.ts';
import { readQuery } from '../http/query.ts';
import { dataAnswer, guarded, successJson } from './frame/endpoints.ts';
import { wordParameter } from './frame/parameters.ts';
import type { ApiRoute, Services } from './frame/services.ts';

const querySchema = v.object({
  locale: v.optional(
    wordParameter(
      PANEL_LANGUAGES,
      'The language of titles and names; by default the restaurant’s own.',
    ),
  ),
});

const lawEntries = {
  law: described(v.string(), 'The law, as people of the trade cite it.'),
  title: described(v.string(), 'What it asks for, in words.'),
  source: described(v.string(), 'Where it can be read.'),
};

const ruleSchema = v.object({
  rule: described(v.string(), 'The name of the rule; it never changes.'),
  ...lawEntries,
  applies: described(
    v.boolean(),
    'Whether it holds for this restaurant today; a rule that does not lacks nothing.',
  ),
  is_met: described(v.boolean(), 'Whether nothing is missing.'),
  missing: described(
    v.array(
      v.object({
        resource: described(v.string(), 'The kind of the record: `items` or `settings`.'),
        id: v.pipe(v.number(), v.integer(), v.description('The id of the record.')),
        name: described(v.string(), 'Its name.'),
        field: described(v.string(), 'The field that it lacks.'),
      }),
    ),
    'Records that lack a field which the rule needs, in the order of the menu.',
  ),
});
export type LawRule = v.InferOutput<typeof ruleSchema>;

const checklistMetaSchema = v.object({
  ...metaSchema.entries,
  country: described(v.nullable(v.string()), 'The restaurant’s country, or null.'),
  region: described(v.string(), 'Its region, or empty.'),
  as_of: described(v.string(), 'The day on which rules and laws were last compared.'),
  only_you_know: described(
    v.array(v.object(lawEntries)),
    'What the law asks for and a menu cannot show.',
  ),
  ignored: v.optional(described(v.array(v.string()), 'Parameters without a meaning.')),
});

type Asked = Pick<Services, 'reportDb' | 'now'> & { tenantId: number };

/** The menu of a restaurant, and what the law asks of it, with names in a language. */
export async function readChecklist({ reportDb, now, tenantId }: Asked, language: PanelLanguage) {
  const menu = await reportDb.moment((tx) => loadMenu(tx, tenantId));
  const { day } = localTime(menu.settings.timezone, now());
  return { menu, checked: await inSlices(checkMenu(menu, day, language)) };
}

/** `GET /admin/checklist`: what the law of the restaurant's country asks of its menu. */
export const checklistRoute: ApiRoute = guarded('GET', '/admin/checklist', RIGHTS.menu.read, {
  description: {
    id: 'getChecklist',
    tag: 'Records',
    summary: 'Compare the menu with the law of the restaurant’s country',
    details:
      'Information, not legal advice. `settings.country`, `region` and `chain_size` decide which rules hold; ' +
      'without a country there are none. Dishes that guests do not see are left out.',
    query: querySchema,
    answers: {
      200: {
        description: 'The rules of the country.',
        json: successJson(
          'Checklist',
          v.array(ruleSchema),
          [
            {
              rule: 'de.volumes',
              law: 'PAngV § 13',
              title: 'La quantità di ogni bevanda',
              applies: true,
              is_met: false,
              missing: [{ resource: 'items', id: 7, name: 'Riesling', field: 'volume_ml' }],
              source: 'https://www.gesetze-im-internet.de/pangv_2022/__13.html',
            },
          ],
          checklistMetaSchema,
          { country: 'DE', region: '', as_of: RULES_AS_OF, only_you_know: [] },
        ),
      },
    },
    refusals: [414, 422],
  },
  call: async ({ tenant, query }, services) => {
    const { values, ignored } = readQuery(querySchema, query);
    const { locale = panelLanguage(tenant.defaultLocale) } = values;
    const reading = readChecklist({ ...services, tenantId: tenant.id }, locale);
    const { menu, checked } = await reading.catch(unavailable('could not read a menu'));
    const say = sayIn(locale);
    const shown = ({ rule, applies, missing }: Checked) => ({
      ...{ rule: rule.rule, law: rule.law, title: say(`law.titles.${rule.title}`) },
      ...{ applies, is_met: missing.length === 0, missing, source: rule.source },
    });
    const reminders = remindersOf(menu).map(({ text, law, source }) => {
      return { law, title: say(`law.reminders.${text}`), source };
    });
    const { country, region } = menu.settings;
    const meta = { country, region, as_of: RULES_AS_OF, only_you_know: reminders };
    return dataAnswer(checked.map(shown), ignored, { meta });
  },
});
