// Reports that Postgres takes too long over: no other request waits for them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { type AdminService, adminService } from '../support/admin.ts';
import { each } from '../support/each.ts';
import { plant, restaurantOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';

/** More than there are connections. */
const REPORTS = 30;

/** Statements of the gateway wait for as long as the test holds them up. */
const ENDLESS_MS = 600_000;

const patient = await adminService({
  constants: {
    readStatementTimeout: ENDLESS_MS,
    readConnectionTimeout: ENDLESS_MS,
    readTimeout: ENDLESS_MS,
  },
});
await plant(patient.db, restaurantOf('fredda', []));
const service = await adminService({
  constants: { readStatementTimeout: 3_000, readTimeout: 3_500 },
});

/** Holds up every statement that reads the counts, until it is released. */
async function holdReports(databaseUrl: string): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('begin; lock table analytics_counts');
  return holder;
}

const askForReports = ({ admin }: AdminService) =>
  Array.from({ length: REPORTS }, () => admin.get('/analytics/items'));

test('while reports hang, tokens are looked up, and menus, writes and events go on', async () => {
  const holder = await holdReports(patient.databaseUrl);
  const reports = askForReports(patient);
  let answered = 0;
  for (const report of reports) void report.finally(() => (answered += 1));
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await until('no report waits', async () => {
    return (await patient.sql(waiting)).length > 0;
  });
  const others = await Promise.all([
    patient.admin.get('/items'),
    patient.gateway.client('fredda').get('/menu'),
    patient.admin.call('PATCH', '/items/1', { price: 5 }),
    patient.client.sendEvents({ type: 'menu_view' }),
  ]);
  assert.deepEqual(each(others, 'status'), [200, 200, 200, 202]);
  assert.equal(answered, 0, 'the reports still wait');
  await holder.end();
  for (const { status } of await Promise.all(reports)) assert.equal(status, 200);
});

test('reports over which Postgres takes too long are refused', async () => {
  const holder = await holdReports(service.databaseUrl);
  for (const { status, headers } of await Promise.all(askForReports(service))) {
    assert.equal(status, 503);
    assert.ok(headers['retry-after']);
  }
  await holder.end();
});
