// Postgres answers, but has no room for what it should keep: triggers refuse it with the error of a
// full disk. `test/faults/outages/main.ts outage full` fills a real one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { queues } from '../../db/schema/queues.ts';
import { adminService, countEvents } from '../support/admin.ts';
import type { Response } from '../support/http.ts';
import { until, untilStatus } from '../support/until.ts';

const service = await adminService();
const { sql } = service;
const [{ id: sectionId }] = await sql('select min(id) as id from sections');
const TABLES = ['pgboss.job', 'limit_windows', 'writes', 'dishes', 'analytics_events'];
/** A function is replaced without a lock on its tables: to drop triggers in use is a deadlock. */
const leaveRoom = (without: readonly string[]) =>
  sql(`create or replace function no_room() returns trigger language plpgsql as $$ begin
    if tg_argv[0] = any ('{${without}}') then
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
    end if;
    return new;
  end $$`);
await leaveRoom([]);
for (const table of TABLES) {
  await sql(`create trigger no_room before insert or update on ${table}
    for each row execute function no_room('${table}')`);
}

/** Takes the room of these tables while `work` runs. */
async function withoutRoom<T>(tables: readonly string[], work: () => Promise<T>): Promise<T> {
  await leaveRoom(tables);
  try {
    return await work();
  } finally {
    await leaveRoom([]);
  }
}

const sendWrite = (name: string, headers: Record<string, string> = {}) =>
  service.admin.call('POST', '/items', { category_id: sectionId, name: { it: name } }, headers);
const sendEvent = () => service.client.sendEvents({ type: 'menu_view', visitor_id: 'table 1' });

function assertRefused({ status, headers, json }: Response): void {
  assert.equal(status, 503);
  assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
  assert.equal(json.success, false);
}

test('without room for jobs, writes and events are refused and menus are served', async () => {
  const { headers: held } = await service.client.get('/menu');
  await withoutRoom(['pgboss.job', 'limit_windows', 'writes'], async () => {
    assertRefused(await sendEvent());
    assertRefused(await sendWrite('Senza posto'));
    const { status, headers } = await service.client.get('/menu');
    assert.deepEqual([status, headers.etag], [200, held.etag]);
    assert.equal((await service.admin.get('/items')).status, 200);
  });
  assert.equal((await sendEvent()).status, 202);
  assert.equal((await sendWrite('Con posto')).status, 201);
  await until('the event was not counted', async () => (await countEvents(service.admin)) === 1);
});

test('a write that was accepted waits for room and is done, however often it was tried', async () => {
  const location = await withoutRoom(['dishes'], async () => {
    const { headers } = (await sendWrite('Paziente', { Prefer: 'respond-async' })).expect(202);
    // Each time it is sent anew.
    const tries = new Set<string>();
    await until('the write was not tried', async () => {
      const sentAt = 'select created_on::text as at from pgboss.job where name = $1';
      for (const { at } of await sql(sentAt, [queues.menuWrites])) tries.add(at);
      return tries.size > constants.maxWriteErrors;
    });
    return headers.location ?? '';
  });
  const path = location.replace('/api/v1/admin', '');
  await untilStatus('the write was not done', 201, () => service.admin.get(path));
});

test('events that were accepted wait for room and are counted once', async () => {
  const before = await countEvents(service.admin);
  await withoutRoom(['analytics_events'], async () => {
    assert.equal((await sendEvent()).status, 202);
    await until('the events were not tried', async () => {
      const [job] = await sql(
        'select max(retry_count)::int as count from pgboss.job where name = $1',
        [queues.analyticsEvents],
      );
      return job.count > 0;
    });
  });
  await until(
    'the events were not counted',
    async () => (await countEvents(service.admin)) === before + 1,
  );
});
