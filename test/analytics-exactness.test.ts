import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createEvents, type SentEvent, type World } from '../bench/analytics/generator.ts';
import { createRandom } from '../bench/analytics/random.ts';
import { readReports } from '../bench/analytics/read-reports.ts';
import { recount } from '../bench/analytics/recount.ts';
import { trattoria } from '../db/demo/trattoria/index.ts';
import { createToken } from '../db/queries/create-token.ts';
import { createUser } from '../db/queries/create-user.ts';
import { queues } from '../db/queue/queues.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { freePort, startTestGateway, type TestGateway } from './support/gateway.ts';
import { startProcess } from './support/process.ts';
import { openDatabase, plant } from './support/restaurant.ts';
import { runSql } from './support/sql.ts';
import { queueIsDrained, startTestWorker } from './support/worker.ts';

const DAY = 86_400_000;
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

let database: TestDatabase;
let gateway: TestGateway;
let token: string;
let world: World;
const accepted: SentEvent[] = [];

before(async () => {
  database = await createTestDatabase();
  const db = await openDatabase(database.url);
  const tenantId = await plant(db, trattoria);
  const user = { tenantId, email: 'a@example.com', passwordHash: 'none' };
  const userId = (await createUser(db, user)) as number;
  const scopes = ['analytics:read' as const];
  ({ token } = await createToken(db, { tenantId, userId, name: 'test', scopes }));
  await db.end();
  const ids = async (table: string) => {
    const rows = await runSql(database.url, `select id from ${table} order by id`);
    return rows.map(({ id }) => id as number);
  };
  const now = Date.now();
  world = {
    items: await ids('dishes'),
    sections: await ids('sections'),
    from: now - 6 * DAY,
    to: now,
    visitors: 60,
  };
  // The jobs of a worker that is killed below are free again after this, in seconds.
  await runSql(database.url, 'update pgboss.queue set expire_seconds = 2 where name = $1', [
    queues.analyticsEvents,
  ]);
  gateway = await startTestGateway(database.url, {
    LIMIT_ANALYTICS: '100000',
    LIMIT_ADMIN: '100000',
  });
});

after(async () => {
  await gateway.stop();
  await database.drop();
});

async function send(events: readonly SentEvent[]): Promise<void> {
  const response = await gateway.client('trattoria').send('/api/v1/analytics/events', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(events),
  });
  assert.equal(response.status, 202, response.text);
  accepted.push(...events);
}

/** Sends events in requests of all sizes, some of them twice, some events in two requests. */
async function sendMany(count: number, streamSeed: number): Promise<void> {
  const next = createEvents(streamSeed, world);
  const random = createRandom(streamSeed + 1);
  for (let sent = 0; sent < count; ) {
    const events = Array.from({ length: 1 + random.below(80) }, next);
    sent += events.length;
    await send(events);
    if (random.below(8) === 0) await send(events);
    if (random.below(8) === 0) await send(events.slice(0, 3).concat(next()));
  }
}

async function assertReportsAreRight(): Promise<void> {
  const read = async (path: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await gateway.client('trattoria').get(`/admin/analytics/${path}`, headers);
    assert.equal(response.status, 200, response.text);
    return response.json.data;
  };
  const day = (age: number) => new Date(Date.now() - age * DAY).toISOString().slice(0, 10);
  const reported = await readReports(read, `from=${day(8)}&to=${day(-1)}&limit=1000`);
  assert.deepEqual(reported, recount(accepted, 'Europe/Rome', world), `seed ${seed}`);
}

async function startWorkerProcess() {
  const worker = startProcess('workers/main.ts', {
    env: { DATABASE_URL: database.url, OPS_PORT: String(await freePort()) },
  });
  await worker.waitFor(/"msg":"started"/);
  return worker;
}

test('several workers count every event once, whatever is sent twice', async () => {
  const workers = [await startTestWorker(database.url), await startTestWorker(database.url)];
  await Promise.all([1, 2, 3, 4].map((stream) => sendMany(800, seed + stream * 1_000)));
  await queueIsDrained(database.url, queues.analyticsEvents);
  await Promise.all(workers.map((worker) => worker.stop()));
  await assertReportsAreRight();
});

/** Resolves when `sql` gives a row. */
async function seen(client: pg.Client, sql: string, values: unknown[] = []): Promise<void> {
  while ((await client.query(sql, values)).rows.length === 0);
}

const waitsFor = (table: string) =>
  `select from pg_locks where not granted and relation = '${table}'::regclass`;

test('a job that takes longer than it may leaves nothing of its first attempt', async () => {
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  const worker = await startTestWorker(database.url);
  await blocker.query('begin; lock table analytics_event_ids in exclusive mode');
  await sendMany(400, seed + 7_000);
  await seen(blocker, waitsFor('analytics_event_ids'));
  // Given up: what the worker still waits for is undone, and what it would do next must not happen.
  await seen(blocker, 'select from pgboss.job where name = $1 and retry_count > 0', [
    queues.analyticsEvents,
  ]);
  await blocker.query('rollback');
  await blocker.end();
  await queueIsDrained(database.url, queues.analyticsEvents);
  await worker.stop();
  await assertReportsAreRight();
});

test('a worker that is killed in the middle of its work loses and doubles nothing', async () => {
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  const worker = await startWorkerProcess();
  await blocker.query('begin; lock table analytics_counts in exclusive mode');
  await sendMany(1_500, seed + 9_000);
  // By now events and visits are written and only the counts are missing.
  await seen(blocker, waitsFor('analytics_counts'));
  process.kill(worker.pid, 'SIGKILL');
  assert.equal(await worker.ended, 'SIGKILL');
  await blocker.query('rollback');
  await blocker.end();
  const successor = await startTestWorker(database.url);
  await queueIsDrained(database.url, queues.analyticsEvents);
  await successor.stop();
  await assertReportsAreRight();
});

test('the intake goes on without a worker, and reports catch up', async () => {
  await sendMany(1_000, seed + 20_000);
  const worker = await startTestWorker(database.url);
  await queueIsDrained(database.url, queues.analyticsEvents);
  await worker.stop();
  await assertReportsAreRight();
});

test('raw events are the accepted ones, each once, and name nobody', async () => {
  const rows = await runSql(database.url, 'select id from analytics_events order by id');
  const ids = new Set(accepted.map(({ id }) => id));
  assert.equal(rows.length, ids.size);
  assert.deepEqual(new Set(rows.map(({ id }) => id)), ids);
  const text = JSON.stringify(
    await runSql(database.url, 'select * from analytics_events limit 99'),
  );
  assert.ok(!text.includes('visitor 1') && !text.includes('127.0.0.1'));
});
