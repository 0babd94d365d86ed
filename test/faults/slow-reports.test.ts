// Reports that Postgres takes too long over: no other request waits for them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdminService, adminService } from '../support/admin.ts';
import { each } from '../support/each.ts';
import { plant, restaurantOf } from '../support/restaurant.ts';
import { lockTable } from '../support/sql.ts';
import { untilFound } from '../support/until.ts';

/** More than there are connections. */
const REPORTS = 30;

/** Statements of the gateway wait for as long as the test holds them up. */
const ENDLESS_MS = 600_000;

const endless = { readStatementTimeout: ENDLESS_MS, readConnectionTimeout: ENDLESS_MS };
const patient = await adminService({ constants: { ...endless, readTimeout: ENDLESS_MS } });
await plant(patient.db, restaurantOf('fredda', []));
const hasty = { readStatementTimeout: 3_000, readTimeout: 3_500 };
const service = await adminService({ constants: hasty });

const askForReports = ({ admin }: AdminService) =>
  Array.from({ length: REPORTS }, () => admin.get('/analytics/items'));

test('while reports hang, tokens are looked up, and menus, writes and events go on', async () => {
  const holder = await lockTable(patient.databaseUrl, 'analytics_counts');
  const reports = askForReports(patient);
  let answered = 0;
  for (const report of reports) void report.finally(() => (answered += 1));
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await untilFound('no report waits', () => patient.sql(waiting));
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
  const holder = await lockTable(service.databaseUrl, 'analytics_counts');
  for (const { status, headers } of await Promise.all(askForReports(service))) {
    assert.equal(status, 503);
    assert.ok(headers['retry-after']);
  }
  await holder.end();
});
