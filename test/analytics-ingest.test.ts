import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AcceptedEvent, toColumns } from '../db/analytics/event-columns.ts';
import type { Database } from '../db/postgres/connection.ts';
import { createPartitions } from '../db/queries/analytics/create-partitions.ts';
import { ingest } from '../workers/analytics/ingest.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { openDatabase, plant, restaurantOf } from './support/restaurant.ts';
import { runSql } from './support/sql.ts';

const DAY = '2026-05-02';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.url);
  await createPartitions(db, [DAY]);
});
after(async () => {
  await db.end();
  await database.drop();
});

test('events of two restaurants may have the same id, in one batch as well', async () => {
  const tenants = [
    await plant(db, restaurantOf('osteria', [])),
    await plant(db, restaurantOf('bottega', [])),
  ];
  const event = (tenant_id: number): AcceptedEvent => ({
    ...{ tenant_id, day: DAY, hour: 12, occurred_at: Date.parse(DAY), type: 'menu_view' },
    ...{ item_id: null, category_id: null, allergen: null, query: null, locale: null },
    ...{ visitor: '7', id: 'tavolo-1' },
  });
  const events = tenants.map(event);
  const jobs = [toColumns(events), toColumns(events)];
  await db.transaction((tx) => ingest(tx, jobs));
  await db.transaction((tx) => ingest(tx, jobs));
  const counts = await runSql(
    database.url,
    `select tenant_id, events from analytics_counts where scope = 'total' order by tenant_id`,
  );
  assert.deepEqual(
    counts,
    tenants.map((tenant_id) => ({ tenant_id, events: 1 })),
  );
});
