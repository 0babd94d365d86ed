import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEvents, type SentEvent, type World } from '../../bench/load/events.ts';
import { createRandom } from '../../bench/load/random.ts';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import type { Running } from '../../db/runtime/running.ts';
import { queues } from '../../db/schema/queues.ts';
import { issueToken } from '../support/admin.ts';
import { menuService } from '../support/menu-service.ts';
import { readReports } from '../support/read-reports.ts';
import { recount } from '../support/recount-events.ts';
import { seed } from '../support/seed.ts';
import { startService } from '../support/service-process.ts';
import { lockTable } from '../support/sql.ts';
import { often } from '../support/thorough.ts';
import { untilFound } from '../support/until.ts';
import { queueIsDrained, startTestWorker } from '../support/worker.ts';

const DAY = 86_400_000;

const service = await menuService([trattoria], { alone: true });
const { client, databaseUrl, db, tenantId } = service;

async function idsOf(table: string): Promise<number[]> {
  const rows = await service.sql(`select id from ${table} order by id`);
  return rows.map(({ id }) => id);
}

const token = await issueToken(db, tenantId, ['analytics:read']);
const now = Date.now();
const world: World = {
  items: await idsOf('dishes'),
  sections: await idsOf('sections'),
  from: now - 1.9 * DAY,
  to: now,
  visitors: 60,
};
const accepted: SentEvent[] = [];

// The jobs of a worker that is killed below are free again after this, in seconds.
await service.sql('update pgboss.queue set expire_seconds = 2 where name = $1', [
  queues.analyticsEvents,
]);

async function send(events: readonly SentEvent[]): Promise<void> {
  (await client.sendEvents(events)).expect(202);
  accepted.push(...events);
}

/** Of the events, the long walk sends all. */
const SHARE = often(0.4, 1);

/** Sends events in requests of all sizes, some of them twice, some events in two requests. */
async function sendMany(count: number, streamSeed: number): Promise<void> {
  const next = createEvents(streamSeed, world);
  const random = createRandom(streamSeed + 1);
  for (let sent = 0; sent < count * SHARE; ) {
    const events = Array.from({ length: 1 + random.below(80) }, next);
    sent += events.length;
    await send(events);
    if (random.below(8) === 0) await send(events);
    if (random.below(8) === 0) await send(events.slice(0, 3).concat(next()));
  }
}

async function read(path: string) {
  const headers = { Authorization: `Bearer ${token}` };
  return (await client.get(`/admin/analytics/${path}`, headers)).expect(200).json.data;
}

const day = (age: number) => new Date(Date.now() - age * DAY).toISOString().slice(0, 10);
const daysOfEvents = () => `from=${day(8)}&to=${day(-1)}&limit=1000`;

async function assertReportsAreRight(): Promise<void> {
  const counted = recount(accepted, 'Europe/Rome', world);
  // The longer period holds whole months, which are stored separately.
  for (const query of [daysOfEvents(), `from=${day(45)}&to=${day(-45)}&limit=1000`]) {
    assert.deepEqual(await readReports(read, query), counted, `seed ${seed}`);
  }
}

/** Lets workers count what is left, and stops them. */
async function finish(...workers: readonly Running[]): Promise<void> {
  await queueIsDrained(databaseUrl, queues.analyticsEvents);
  await Promise.all(workers.map((worker) => worker.stop()));
}

test('several workers count every event once, whatever is sent twice', async () => {
  const workers = [await startTestWorker(databaseUrl), await startTestWorker(databaseUrl)];
  await Promise.all([1, 2, 3, 4].map((stream) => sendMany(800, seed + stream * 1_000)));
  await finish(...workers);
  await assertReportsAreRight();
});

const untilWaits = (table: string) =>
  untilFound(
    `nothing waits for ${table}`,
    () => service.sql`select from pg_locks where not granted and relation = ${table}::regclass`,
  );

test('a job that takes longer than it may leaves nothing of its first attempt', async () => {
  const worker = await startTestWorker(databaseUrl);
  const blocker = await lockTable(databaseUrl, 'analytics_event_ids in exclusive mode');
  await sendMany(400, seed + 7_000);
  await untilWaits('analytics_event_ids');
  // Given up: what the worker still waits for is undone, and what it would do next must not happen.
  const given = 'select from pgboss.job where name = $1 and retry_count > 0';
  await untilFound('no job is given up', () => service.sql(given, [queues.analyticsEvents]));
  await blocker.end();
  await finish(worker);
  await assertReportsAreRight();
});

test('a worker that is killed in the middle of its work loses and doubles nothing', async () => {
  const { program: worker } = await startService('workers/main.ts', databaseUrl);
  const blocker = await lockTable(databaseUrl, 'analytics_counts in exclusive mode');
  await sendMany(1_500, seed + 9_000);
  // By now events and visits are written and only the counts are missing.
  await untilWaits('analytics_counts');
  await worker.kill();
  await blocker.end();
  const successor = await startTestWorker(databaseUrl);
  await finish(successor);
  await assertReportsAreRight();
});

test('the intake goes on without a worker, and reports catch up', async () => {
  await sendMany(1_000, seed + 20_000);
  const worker = await startTestWorker(databaseUrl);
  await finish(worker);
  await assertReportsAreRight();
});

interface Counted {
  events: number;
  visitors: number;
}
const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

/** Checks that one answer's figures belong together and gives its total. */
async function totalOfOverview(): Promise<number> {
  const { totals, by_day, by_hour, by_locale } = await read(`overview?${daysOfEvents()}`);
  const eventsOf = (list: Counted[]) => sum(list.map(({ events }) => events));
  const sums = [sum(Object.values(totals.by_type)), ...[by_day, by_hour, by_locale].map(eventsOf)];
  assert.deepEqual(sums, Array(4).fill(totals.events));
  assert.equal(sum(by_day.map(({ visitors }: Counted) => visitors)), totals.visitors);
  return totals.events;
}

test('the figures of each answer add up while events are being counted', async () => {
  const worker = await startTestWorker(databaseUrl);
  const totals = new Set<number>();
  const reading = new AbortController();
  const sending = (async () => {
    for (let stream = 0; !reading.signal.aborted; stream += 1) {
      await sendMany(100, seed + 30_000 + stream);
    }
  })();
  try {
    // As many different totals as that show that the worker was at work all the while.
    while (totals.size < often(6, 20)) totals.add(await totalOfOverview());
  } finally {
    reading.abort();
    await sending;
    await finish(worker);
  }
  const sorted = [...totals].sort((a, b) => a - b);
  assert.deepEqual([...totals], sorted, 'no total is below one before');
  await assertReportsAreRight();
});

test('raw events are the accepted ones, each once, and name no visitor', async () => {
  const rows = await service.sql('select id from analytics_events order by id');
  const ids = new Set(accepted.map(({ id }) => id));
  assert.equal(rows.length, ids.size);
  assert.deepEqual(new Set(rows.map(({ id }) => id)), ids);
  const text = JSON.stringify(await service.sql('select * from analytics_events limit 99'));
  assert.ok(!text.includes('visitor 1') && !text.includes('127.0.0.1'));
});

test('the languages in which dishes were opened add up to the raw events, by day and by month', async () => {
  const locales = ['it', 'en', 'fr', 'de', 'es'];
  for (const [scope, unit] of Object.entries({ item: 'day', item_month: 'month' })) {
    const counted = await service.sql(
      `select day::text, key, views_by_locale::int[] from analytics_counts where scope = $1
       order by 1, 2`,
      [scope],
    );
    const raw = await service.sql(
      `select date_trunc($2, day)::date::text as day, item_id::text collate "C" as key,
         array(select (count(*) filter (where locale = wanted))::int
           from unnest($1::text[]) with ordinality as w (wanted, position),
             unnest(array_agg(coalesce(locale, ''))) as locale
           group by position order by position) as views_by_locale
       from analytics_events join dishes on dishes.id = item_id where type = 'item_view'
       group by 1, 2 order by 1, 2`,
      [locales, unit],
    );
    assert.ok(counted.length > 50);
    assert.deepEqual(counted, raw);
  }
});
