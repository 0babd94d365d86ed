// Reports that Postgres takes too long over: nobody else waits for them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { constants } from '../../db/runtime/constants.ts';
import { type AdminService, startAdminService } from '../support/admin.ts';
import { plant, restaurantOf } from '../support/restaurant.ts';

/** More than there are connections. */
const REPORTS = 30;

let service: AdminService;

before(async () => {
  service = await startAdminService();
  await plant(service.db, restaurantOf('fredda', []));
});
after(() => service.stop());

test('while reports hang, tokens are looked up, and menus, writes and events go on', async () => {
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query('begin; lock table analytics_counts');
  const began = performance.now();
  const reports = Array.from({ length: REPORTS }, () => service.admin.get('/analytics/items'));
  await sleep(100);
  const event = service.client.send('/api/v1/analytics/events', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'menu_view' }),
  });
  const others = await Promise.all([
    service.admin.get('/items'),
    service.gateway.client('fredda').get('/menu'),
    service.admin.call('PATCH', '/items/1', { price: 5 }),
    event,
  ]);
  const took = performance.now() - began;
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 200, 200, 202],
  );
  assert.ok(took < constants.readStatementTimeout, `they waited for the reports: ${took} ms`);
  for (const { status, headers } of await Promise.all(reports)) {
    assert.equal(status, 503);
    assert.ok(headers['retry-after']);
  }
  await holder.end();
});
