import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { freePort } from '../../../bench/processes/free-port.ts';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import type { Database } from '../../../db/postgres/connection.ts';
import { createBoss } from '../../../db/queue/boss.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { type AcceptedEvent, toEventColumns } from '../../../db/schema/event.ts';
import { queues } from '../../../db/schema/queues.ts';
import { createPartitions } from '../../../db/sql/events.ts';
import { findQueueStates } from '../../../db/sql/jobs.ts';
import { purgeEvents } from '../../../workers/housekeeping/purge.ts';
import { callCli } from '../../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openDatabase, plant } from '../../support/restaurant.ts';
import { queueIsDrained, startTestWorker } from '../../support/worker.ts';

const DAY = 86_400_000;
const NOW = Date.now();

let database: TestDatabase;
let db: Database;
let tenantId: number;

const dayOf = (age: number) => new Date(NOW - age * DAY).toISOString().slice(0, 10);

beforeEach(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.url);
  tenantId = await plant(db, trattoria);
});

afterEach(async () => {
  await db.end();
  await database.drop();
});

function eventOn(day: string, parts: Partial<AcceptedEvent> = {}): AcceptedEvent {
  return {
    ...{ tenant_id: tenantId, day, hour: 12, occurred_at: Date.parse(day), type: 'menu_view' },
    ...{ item_id: null, category_id: null, allergen: null, query: null, locale: null },
    ...{ results: null, visitor: '7', id: null, ...parts },
  };
}

async function enqueue(...jobs: AcceptedEvent[][]) {
  const boss = createBoss(database.url, { log: pino({ level: 'silent' }), max: 1 });
  await boss.start();
  const rows = jobs.map((events) => ({ data: toEventColumns(events) }));
  await boss.insert(queues.analyticsEvents, rows);
  await boss.stop({ graceful: false });
}

async function partitions(table: string): Promise<string[]> {
  const rows = await database.sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass`;
  return rows.map(({ name }) => name.slice(table.length + 1));
}

const compact = (age: number) => dayOf(age).replaceAll('-', '');

test('partitions are there ahead of time, however many workers make them', async () => {
  await Promise.all(Array.from({ length: 4 }, () => purgeEvents(db, 400, NOW, () => true)));
  for (const table of ['analytics_events', 'analytics_visits']) {
    const days = await partitions(table);
    assert.ok(days.includes(compact(0)) && days.includes(compact(-2)) && days.includes(compact(8)));
  }
});

test('raw events go after their retention, roll-ups stay', async () => {
  await createPartitions(db, [dayOf(40), dayOf(31), dayOf(29)]);
  await purgeEvents(db, 30, NOW, () => true);
  const days = await partitions('analytics_events');
  assert.ok(!days.includes(compact(40)) && !days.includes(compact(31)));
  assert.ok(days.includes(compact(29)));
  // No visitor has to be recognised after so long.
  assert.ok(!(await partitions('analytics_visits')).includes(compact(29)));
});

test('search texts go after the retention of raw events, in bounded steps', async () => {
  const perDay = constants.removalBatch + 5;
  await database.sql(
    `insert into analytics_empty_searches
     select $1, day, 'text ' || n, 1
     from unnest($2::date[]) as day, generate_series(1, $3::int) as n`,
    [tenantId, [dayOf(40), dayOf(31), dayOf(30), dayOf(0)], perDay],
  );
  await purgeEvents(db, 30, NOW, () => true);
  const days = await database.sql`
    select day::text, count(*) from analytics_empty_searches group by day order by day`;
  const expected = [30, 0].map((age) => ({ day: dayOf(age), count: perDay }));
  assert.deepEqual(days, expected);
});

test('a partition that is missing is made when an event needs it', async () => {
  const worker = await startTestWorker(database.url);
  await enqueue([eventOn(dayOf(20)), eventOn(dayOf(0))]);
  await queueIsDrained(database.url, queues.analyticsEvents);
  await worker.stop();
  const counts = await database.sql`
    select day::text, events from analytics_counts where scope = 'total' order by day`;
  assert.deepEqual(counts, [
    { day: dayOf(20), events: 1 },
    { day: dayOf(0), events: 1 },
  ]);
});

test('ids and visitors are forgotten in bounded steps, but not while jobs wait', async () => {
  const old = constants.idsPerDeletion + 5;
  await database.sql`
     insert into analytics_event_ids select 1, sha256(n::text::bytea), current_date - 60
     from generate_series(1, ${old}::int) n`;
  await database.sql(`insert into analytics_event_ids values (1, 'today')`);
  await createPartitions(db, [dayOf(60)]);
  await enqueue([eventOn(dayOf(0))]);
  await database.sql(`update pgboss.job set created_on = now() - interval '55 days'`);
  const ids = async () => {
    const [{ count }] = await database.sql('select count(*) from analytics_event_ids');
    return count;
  };
  await purgeEvents(db, 400, NOW, () => true);
  assert.equal(await ids(), old + 1);
  assert.ok((await partitions('analytics_visits')).includes(compact(60)));
  await database.sql('delete from pgboss.job');
  await purgeEvents(db, 400, NOW, () => true);
  assert.equal(await ids(), 1);
  assert.ok(!(await partitions('analytics_visits')).includes(compact(60)));
});

test('a job that waits for another try is seen, with the age that it has', async () => {
  await enqueue([eventOn(dayOf(0))], [eventOn(dayOf(0))]);
  await database.sql`
     update pgboss.job set state = 'retry', created_on = now() - interval '10 minutes',
       start_after = now() + interval '1 hour'
     where id = (select id from pgboss.job limit 1)`;
  const states = await findQueueStates(db);
  const state = states.find(({ name }) => name === queues.analyticsEvents);
  assert.equal(state?.waiting, 2);
  assert.ok(state.oldest >= 600);
});

test('a job that cannot be ingested fails alone and is kept for the operator', async () => {
  await database.sql`
    update pgboss.queue set retry_limit = 1, retry_delay = 0 where name = ${queues.analyticsEvents}`;
  const poison = eventOn(dayOf(0), { type: null as unknown as string, id: 'poison' });
  const good = (id: string) => [eventOn(dayOf(0), { id })];
  await enqueue(good('a'), [eventOn(dayOf(0), { id: 'with poison' }), poison], good('b'));
  const opsPort = await freePort();
  const worker = await startTestWorker(database.url, { OPS_PORT: String(opsPort) });
  await queueIsDrained(database.url, queues.analyticsEvents);
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  assert.match(metrics, /^lavagna_queue_jobs\{queue="analytics-events"\} 0$/m);
  assert.match(metrics, /^lavagna_queue_jobs\{queue="analytics-events-failed"\} 1$/m);
  await worker.stop();
  const stored = await database.sql('select id from analytics_events order by id');
  assert.deepEqual(stored, [{ id: 'a' }, { id: 'b' }]);
  const [{ events }] = await database.sql`
    select events from analytics_counts where scope = 'total'`;
  assert.equal(events, 2);
  const [failed, ...others] = await database.sql`
     select data->'id' as id, keep_until > now() + interval '5 years' as kept from pgboss.job
     where name = ${queues.analyticsEventsFailed}`;
  assert.deepEqual(failed, { id: ['with poison', 'poison'], kept: true });
  assert.deepEqual(others, []);

  // Until then housekeeping keeps what it takes to count it once, however long ago that was.
  await purgeEvents(db, 400, NOW + 30 * DAY, () => true);
  assert.ok((await partitions('analytics_visits')).includes(compact(0)));
  assert.equal((await database.sql('select from analytics_event_ids')).length, 2);

  // The operator mends what was wrong and puts the job back.
  await database.sql(
    `update pgboss.job set data = jsonb_set(data, '{type,1}', '"menu_view"') where name = $1`,
    [queues.analyticsEventsFailed],
  );
  const redrive = (await callCli(['events', 'redrive'], { DATABASE_URL: database.url })).ends(0);
  assert.deepEqual(JSON.parse(redrive.stdout), { redriven: 1 });
  const other = await startTestWorker(database.url);
  await queueIsDrained(database.url, queues.analyticsEvents);
  await other.stop();
  const [{ events: all }] = await database.sql`
    select events from analytics_counts where scope = 'total'`;
  assert.equal(all, 4);
});

test('a time zone that does not exist cannot be stored', async () => {
  await assert.rejects(database.sql(`update settings set timezone = 'Europe/Atlantis'`));
});
