import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Database } from '../../db/postgres/connection.ts';
import { createPartitions } from '../../db/sql/analytics/create-partitions.ts';
import { type AcceptedEvent, toColumns } from '../../db/sql/analytics/event-columns.ts';
import { ingest } from '../../workers/events/ingest.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openDatabase, plant, restaurantOf } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';

const DAY = '2026-05-02';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.url);
  await createPartitions(db, [DAY]);
  tenants = [
    await plant(db, restaurantOf('osteria', [])),
    await plant(db, restaurantOf('bottega', [])),
  ];
});
beforeEach(() => runSql(database.url, 'truncate analytics_counts, analytics_visits'));
after(async () => {
  await db.end();
  await database.drop();
});

let tenants: number[];

const event = (tenant_id: number, parts: Partial<AcceptedEvent> = {}): AcceptedEvent => ({
  ...{ tenant_id, day: DAY, hour: 12, occurred_at: Date.parse(DAY), type: 'menu_view' },
  ...{ item_id: null, category_id: null, allergen: null, query: null, locale: null },
  ...{ visitor: '7', id: null },
  ...parts,
});

const totals = () =>
  runSql(
    database.url,
    `select tenant_id, events, visitors from analytics_counts where scope = 'total'
     order by tenant_id`,
  );

test('events of two restaurants may have the same id, in one batch as well', async () => {
  const events = tenants.map((tenant) => event(tenant, { id: 'tavolo-1' }));
  const jobs = [toColumns(events), toColumns(events)];
  await db.transaction((tx) => ingest(tx, jobs));
  await db.transaction((tx) => ingest(tx, jobs));
  assert.deepEqual(
    await totals(),
    tenants.map((tenant_id) => ({ tenant_id, events: 1, visitors: 1 })),
  );
});

test('the visitors of restaurants that are counted together are counted apart', async () => {
  const [one = 0, other = 0] = tenants;
  const events = [
    ...['7', '7', '8', '9'].map((visitor) => event(one, { visitor })),
    event(other, { visitor: '7' }),
  ];
  await db.transaction((tx) => ingest(tx, [toColumns(events)]));
  assert.deepEqual(await totals(), [
    { tenant_id: one, events: 4, visitors: 3 },
    { tenant_id: other, events: 1, visitors: 1 },
  ]);
  const again = event(one, { visitor: '9', locale: 'de' });
  await db.transaction((tx) => ingest(tx, [toColumns([again])]));
  assert.deepEqual((await totals())[0], { tenant_id: one, events: 5, visitors: 3 });
});
