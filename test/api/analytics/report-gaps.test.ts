// The advice of reports: only about dishes and languages of the menu.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insights } from '../../../gateway/analytics/reports/insights.ts';
import { items } from '../../../gateway/analytics/reports/items.ts';
import {
  createReportContext,
  type ReportContext,
} from '../../../gateway/analytics/reports/report.ts';
import { each } from '../../support/each.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const database = await ownDatabase();
const { db } = database;

const dishes = [
  dishOf('Coperto'),
  dishOf('Pane'),
  dishOf('Gricia', { allergens: ['latte'] }),
  dishOf('Orzotto', { allergens: ['sedano'] }),
  dishOf('Vitovska'),
  dishOf('Nascosto', { allergens: ['latte'], is_active: false }),
];
const ITALIAN = [4, 0, 0, 0, 0];
const ENGLISH_AND_GERMAN = [0, 1, 0, 3, 0];

const own = restaurantOf('osteria', [sectionOf('Tutto', dishes)], {
  supported_locales: ['it', 'en'],
});
const id = await plant(db, own);
const day = '2026-05-02';
const context = createReportContext({
  db,
  tenant: { id } as ReportContext['tenant'],
  period: { from: day, to: day, previousFrom: '2026-05-01', previousTo: '2026-05-01' },
  limit: 50,
});

/** Lets a dish have been opened by readers of languages, in the order of `LOCALES`. */
async function givenViews(name: string, byLocale: number[]): Promise<void> {
  await database.sql('delete from analytics_counts');
  await database.sql(
    `insert into analytics_counts (tenant_id, scope, day, key, events, visitors, views_by_locale)
     select tenant_id, 'item', $2, id::text, 4, 1, $3 from dishes where name->>'it' = $1`,
    [name, context.period.from, byLocale],
  );
}

/** The figures of the insights of a kind. */
async function findingsOf(kind: string): Promise<object[]> {
  const { findings } = await insights(context);
  return findings.filter((finding) => finding.kind === kind).map(({ figures }) => figures);
}

test('each visible dish that no guest opened is reported, in the order of the menu', async () => {
  await givenViews('Gricia', ITALIAN);
  const { items: ranked, never_viewed, total_never_viewed } = await items(context);
  assert.deepEqual([each(ranked, 'name'), each(ranked, 'views')], [['Gricia'], [4]]);
  const names = each(never_viewed, 'name');
  assert.deepEqual(names, ['Coperto', 'Pane', 'Orzotto', 'Vitovska']);
  assert.equal(total_never_viewed, names.length);
  const examples = never_viewed.map(({ id, name }) => ({ id, name }));
  assert.deepEqual(await findingsOf('never_viewed'), [{ count: 4, visible: 5, examples }]);
});

test('translations are missed in the restaurant’s own languages and in no others', async () => {
  await givenViews('Gricia', ENGLISH_AND_GERMAN);
  const missing = (await findingsOf('missing_translations')) as { locale: string }[];
  assert.deepEqual(each(missing, 'locale'), ['en']);
});
