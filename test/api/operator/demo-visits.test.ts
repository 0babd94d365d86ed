// A demo restaurant has had guests for a month, so that its statistics show something.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOfVisits, plantVisits } from '../../../db/operator/demo/plant-demo.ts';
import { plantRestaurant, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { createDatabase } from '../../../db/postgres/connection.ts';
import { createPartitions } from '../../../db/sql/events.ts';
import { createTestDatabase } from '../../support/database.ts';
import { each } from '../../support/each.ts';

const NOW = Date.parse('2026-07-15T10:00:00Z');
const OPTIONS = { maxConnections: 1, statementTimeout: 60_000, connectionTimeout: 10_000 };

async function plantedFigures() {
  const { url, sql, drop } = await createTestDatabase();
  const db = await createDatabase(url, OPTIONS);
  await createPartitions(db, daysOfVisits(NOW));
  await db.transaction(async (tx) => {
    const tenantId = (await plantRestaurant(tx, trattoria)) as number;
    await plantVisits(tx, tenantId, trattoria, NOW);
  });
  await db.end();
  const counts = await sql`select scope::text, day::text, key, events::int, visitors::int
    from analytics_counts order by 1, 2, 3`;
  const missed = await sql('select distinct query from analytics_empty_searches order by 1');
  await drop();
  return { counts, missed };
}

test('a demo has a month of visits, the same each time, whose languages add up to its visitors', async () => {
  const [first, second] = [await plantedFigures(), await plantedFigures()];
  assert.deepEqual(first, second);
  const of = (scope: string) => first.counts.filter((row) => row.scope === scope);
  const visitors = (scope: string) => of(scope).reduce((sum, row) => sum + row.visitors, 0);
  const days = each(of('total'), 'day');
  assert.deepEqual([days.length, days[0], days.at(-1)], [30, '2026-06-15', '2026-07-14']);
  assert.ok(visitors('total') > 500, String(visitors('total')));
  assert.equal(visitors('locale'), visitors('total'));
  assert.ok(of('item').length > 200, 'dishes are opened');
  assert.ok(of('allergen').length > 10, 'allergens are left out');
  assert.deepEqual(each(first.missed, 'query'), ['senza glutine', 'sushi', 'vegano']);
});
