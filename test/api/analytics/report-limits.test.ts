import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allergens as allergenDictionary } from '../../../db/schema/dictionary.ts';
import { allergensReport, items } from '../../../gateway/analytics/reports/items.ts';
import {
  createReportContext,
  type ReportContext,
} from '../../../gateway/analytics/reports/report.ts';
import { sections } from '../../../gateway/routes/reports.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const database = await ownDatabase();
const { db } = database;

const dishes = ['Gnocchi', 'Tortelli', 'Lasagne', 'Orzotto'].map((name) =>
  dishOf(name, { allergens: ['latte'] }),
);
const names = ['Primi', 'Secondi', 'Dolci', 'Bevande'];
const own = names.map((name) => sectionOf(name, name === 'Primi' ? { dishes } : {}));
const id = await plant(db, restaurantOf('osteria', own));
const day = '2026-05-02';
// Two of each were used, so that there are more than one of every list.
await database.sql(
  `insert into analytics_counts (tenant_id, scope, day, key, events, visitors)
   select $1, scope::analytics_scope, $2::date, key, 3, 1 from (
     select 'item' as scope, id::text as key from dishes where name->>'it' in ('Gnocchi', 'Tortelli')
     union all
     select 'section', id::text from sections where name->>'it' in ('Primi', 'Secondi')
     union all values ('allergen', 'latte'), ('allergen', 'soia')
   ) as used`,
  [id, day],
);
const context = createReportContext({
  db,
  tenant: { id } as ReportContext['tenant'],
  period: { from: day, to: day, previousFrom: '2026-05-01', previousTo: '2026-05-01' },
  limit: 1,
});

test('a limit bounds every list of a report, and its totals tell of all', async () => {
  const { total_items, items: viewed, ...ofItems } = await items(context);
  assert.deepEqual([viewed.length, total_items], [1, 2]);
  assert.deepEqual([ofItems.never_viewed.length, ofItems.total_never_viewed], [1, 2]);
  const { total_sections, sections: opened, ...ofSections } = await sections(context);
  assert.deepEqual([opened.length, total_sections], [1, 2]);
  assert.deepEqual([ofSections.never_viewed.length, ofSections.total_never_viewed], [1, 2]);
  const { total_uses, allergens: used, never_used } = await allergensReport(context);
  assert.deepEqual([used.length, total_uses, never_used.length], [1, 6, 1]);
});

test('within a wider limit the lists are whole', async () => {
  const wide = { ...context, limit: allergenDictionary.keys.length };
  assert.equal((await items(wide)).never_viewed.length, 2);
  assert.equal((await sections(wide)).never_viewed.length, 2);
  assert.equal((await allergensReport(wide)).never_used.length, allergenDictionary.keys.length - 2);
});
