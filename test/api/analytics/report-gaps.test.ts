// The advice of reports: only about dishes that somebody could have opened or read.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../db/postgres/connection.ts';
import { insights } from '../../../gateway/analytics/reports/findings/insights.ts';
import { items } from '../../../gateway/analytics/reports/items.ts';
import {
  createReportContext,
  type ReportContext,
} from '../../../gateway/analytics/reports/report.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  dishOf,
  openDatabase,
  plant,
  restaurantOf,
  sectionOf,
  wineryOf,
} from '../../support/restaurant.ts';
import { runSql } from '../../support/sql.ts';

let database: TestDatabase;
let db: Database;
let context: ReportContext;

const dishes = [
  dishOf('Coperto'),
  dishOf('Pane'),
  dishOf('Gricia', { allergens: ['latte'] }),
  dishOf('Orzotto', { allergens: ['sedano'] }),
  dishOf('Vitovska', { winery: 'Descritta' }),
  dishOf('Terrano', { winery: 'In rete' }),
  dishOf('Malvasia', { winery: 'Muta' }),
  dishOf('Nascosto', { allergens: ['latte'], is_active: false }),
];
const wineries = [
  wineryOf('Descritta', { description: { en: 'Wines of the Karst.' } }),
  wineryOf('In rete', { website: 'https://inrete.example' }),
  wineryOf('Muta'),
];
const ITALIAN = [4, 0, 0, 0, 0];
const ENGLISH_AND_GERMAN = [0, 1, 0, 3, 0];

before(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.url);
  const own = restaurantOf('osteria', [sectionOf('Tutto', { dishes })], {
    supported_locales: ['it', 'en'],
  });
  const id = await plant(db, { ...own, wineries });
  const day = '2026-05-02';
  context = createReportContext({
    db,
    tenant: { id } as ReportContext['tenant'],
    period: { from: day, to: day, previousFrom: '2026-05-01', previousTo: '2026-05-01' },
    limit: 50,
  });
});
after(async () => {
  await db.end();
  await database.drop();
});

/** Lets a dish have been opened by readers of languages, in the order of `LOCALES`. */
async function givenViews(name: string, byLocale: number[]): Promise<void> {
  await runSql(database.url, 'delete from analytics_counts');
  await runSql(
    database.url,
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

test('a dish that cannot be opened is not reported as never opened', async () => {
  await givenViews('Gricia', ITALIAN);
  const { never_viewed, total_never_viewed } = await items(context);
  const names = never_viewed.map(({ name }) => name);
  assert.deepEqual(names, ['Orzotto', 'Vitovska', 'Terrano']);
  assert.equal(total_never_viewed, 3);
  const examples = never_viewed.map(({ id, name }) => ({ id, name }));
  assert.deepEqual(await findingsOf('never_viewed'), [{ count: 3, visible: 4, examples }]);
});

test('what was opened is ranked, whatever it has to show', async () => {
  await givenViews('Pane', ITALIAN);
  const { items: ranked, total_never_viewed } = await items(context);
  assert.deepEqual(
    ranked.map(({ name, views }) => [name, views]),
    [['Pane', 4]],
  );
  assert.equal(total_never_viewed, 4);
});

test('translations are missed in the restaurant’s own languages and in no others', async () => {
  await givenViews('Gricia', ENGLISH_AND_GERMAN);
  const missing = (await findingsOf('missing_translations')) as { locale: string }[];
  assert.deepEqual(
    missing.map(({ locale }) => locale),
    ['en'],
  );
});
