import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queues } from '../../../db/schema/queues.ts';
import { issueToken } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { workedService } from '../../support/menu-service.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';
import { queueIsDrained } from '../../support/worker.ts';

const service = await workedService([restaurantOf('osteria', [])]);
const { client, databaseUrl, db, tenantId } = service;

const token = await issueToken(db, tenantId, ['analytics:read']);

async function report(query: string) {
  const headers = { Authorization: `Bearer ${token}` };
  return (await client.get(`/admin/analytics/searches?${query}`, headers)).expect(200).json.data;
}

test('the report of searches tells what guests did not find, the most frequent first', async () => {
  const other = await plant(db, restaurantOf('bottega', []));
  await service.sql(
    `insert into analytics_empty_searches (tenant_id, day, query, searches) values
     ($1, '2026-04-30', 'sushi', 900), ($1, '2026-05-01', 'sushi', 3), ($1, '2026-05-10', 'sushi', 2),
     ($1, '2026-05-02', '', 4), ($1, '2026-05-02', 'cous cous', 1), ($1, '2026-05-03', 'calamari', 1),
     ($1, '2026-05-03', 'zuppa', 9), ($1, '2026-05-11', 'pizza', 900), ($2, '2026-05-05', 'pho', 5)`,
    [tenantId, other],
  );
  const period = { from: '2026-05-01', to: '2026-05-10', timezone: 'Europe/Rome' };
  const totals = { total_searches: 20, total_queries: 4, other_searches: 4 };
  const queries = [
    { query: 'zuppa', searches: 9, share: 0.45 },
    { query: 'sushi', searches: 5, share: 0.25 },
    { query: 'calamari', searches: 1, share: 0.05 },
    { query: 'cous cous', searches: 1, share: 0.05 },
  ];
  const days = 'from=2026-05-01&to=2026-05-10';
  assert.deepEqual(await report(days), { ...period, ...totals, queries });
  const [first] = queries;
  assert.deepEqual(await report(`${days}&limit=1`), { ...period, ...totals, queries: [first] });
  const { from, to, timezone, ...nothing } = await report('from=2026-01-01&to=2026-01-02');
  const none = { total_searches: 0, total_queries: 0, other_searches: 0 };
  assert.deepEqual(nothing, { ...none, queries: [] });
});

test('a search that found nothing is in the report of its day, and no other search is', async () => {
  const events = [
    { type: 'search', query: 'Sushi', results: 0, id: 'one' },
    { type: 'search', query: 'sushi ', results: '0' },
    { type: 'search', query: 'Pizza', results: 2 },
    { type: 'search', query: 'Gnocchi' },
    { type: 'menu_view', query: 'Zuppa', results: 0 },
  ];
  for (const body of [events, events.slice(0, 1)]) {
    assert.equal((await client.sendEvents(body)).status, 202);
  }
  await queueIsDrained(databaseUrl, queues.analyticsEvents);
  const { queries, total_searches } = await report('');
  assert.deepEqual(queries, [{ query: 'sushi', searches: 2, share: 1 }]);
  assert.equal(total_searches, 2);
  const raw = await service.sql`
    select query, results from analytics_events order by query collate "C", results`;
  assert.deepEqual(each(raw, 'query'), ['Gnocchi', 'Pizza', 'Sushi', 'Zuppa', 'sushi']);
  assert.deepEqual(each(raw, 'results'), [null, 2, 0, 0, 0]);
});
