// The statements behind the limits, on a real Postgres.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import * as v from 'valibot';
import { type DatabaseSession, openSession } from '../../../db/postgres/session.ts';
import { column, type Db, sql } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { clearEndedWindows, countRequests, type WindowAsk } from '../../../db/sql/limit-windows.ts';
import { createCountedLimits } from '../../../gateway/limits/counted-limits.ts';
import { afterFile } from '../../support/for-file.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { patience } from '../../support/patience.ts';
import { seed } from '../../support/seed.ts';
import { often } from '../../support/thorough.ts';
import { until, untilFound } from '../../support/until.ts';
import { createWindowTable } from '../../support/window-table.ts';

const WINDOW = 60_000;
console.log(`limit-windows-sql: SEED=${seed}`);

const ROUNDING_MS = 2;

const database = await ownDatabase();
const sessions: DatabaseSession[] = [];

for (const name of ['one', 'two', 'three']) sessions.push(await openAs(name));
afterFile(async () => {
  for (const session of sessions) await session.stop();
});

function openAs(name: string): Promise<DatabaseSession> {
  return openSession({
    databaseUrl: database.url,
    name: `test ${name}`,
    statementTimeout: 30_000,
    onOpen: () => assert.fail('the session broke'),
    log: pino({ level: 'silent' }),
    constants,
  });
}

const [ask, row] = [
  fc.record({
    limit: fc.constantFrom(1, 24, 120),
    shared: fc.boolean(),
    endsIn: fc.constantFrom(500, 20_000, 40_000, WINDOW),
    floor: fc.constantFrom(0, 3, 50),
    debt: fc.constantFrom(-2, 0, 1, 7, 130),
    claims: fc.constantFrom(0, 1, 30, 200),
  }),
  fc.option(
    fc.record({
      // Far enough from where the outcome turns for a slow machine.
      endsAt: fc.constantFrom(-30_000, 10_000, 31_000, 59_000, 3_600_000),
      count: fc.constantFrom(0, 2, 60, 119, 121),
    }),
  ),
];

interface Planted {
  client: string;
  endsAt: number;
  count: number;
}

const plant = (db: Db, held: readonly Planted[]) =>
  db.run(sql.nothing`
    insert into limit_windows (tenant_id, limiter, client, ends_at, count)
    select 1, 'public', client, clock_timestamp() + ends_in * interval '1 ms', count
    from unnest(
      ${column(held, ({ client }) => client, 'inet')},
      ${column(held, ({ endsAt }) => endsAt, 'float8')},
      ${column(held, ({ count }) => count, 'int4')}
    ) as w (client, ends_in, count)
  `);

test('Postgres counts as the model does', async () => {
  const [{ db }] = sessions as [DatabaseSession];
  const batch = fc.array(fc.record({ ask, row }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(batch, async (entries) => {
      await db.run(sql.nothing`delete from limit_windows`);
      const table = createWindowTable(WINDOW);
      const asks: WindowAsk[] = entries.map((entry, i) => ({
        tenantId: 1,
        limiter: 'public',
        client: i % 2 ? `2001:db8::${i.toString(16)}` : `192.0.2.${i}`,
        ...entry.ask,
      }));
      const held = entries.flatMap((entry, i) => (entry.row ? [{ i, ...entry.row }] : []));
      for (const { i, ...kept } of held) table.put(asks[i] as WindowAsk, kept);
      const plantedAt = performance.now();
      const planted = held.map(({ i, ...kept }) => ({ client: asks[i]?.client ?? '', ...kept }));
      await plant(db, planted);
      const counts = await countRequests(db, asks, WINDOW);
      const elapsed = performance.now() - plantedAt;
      for (const [i, expected] of table.count(asks, 0).entries()) {
        const found = counts[i];
        const wanted = [expected.count, expected.granted];
        assert.deepEqual([found?.count, found?.granted], wanted, JSON.stringify(entries[i]));
        // The model's clock stands still while Postgres' goes on.
        const late = expected.endsIn - (found?.endsIn ?? 0);
        const isRight = late >= -ROUNDING_MS && late <= elapsed + ROUNDING_MS;
        assert.ok(isRight, `${JSON.stringify(entries[i])} ends ${late} ms away`);
      }
    }),
    { numRuns: often(40, 150), seed, includeErrorInReport: true },
  );
});

test('gateways that report the same windows at once lose nothing and never deadlock', async () => {
  await database.sql('truncate limit_windows');
  const clients = Array.from({ length: 40 }, (_, i) => `203.0.113.${i}`);
  const rounds = 25;
  const report = async ({ db }: DatabaseSession, order: string[]) => {
    const known = new Map<string, boolean>();
    for (let round = 0; round < rounds; round += 1) {
      const asks = order.map((client) => ({
        tenantId: 1,
        limiter: 'public',
        client,
        limit: 1_000_000,
        shared: known.get(client) ?? false,
        endsIn: WINDOW,
        floor: 0,
        debt: 1,
        claims: 1,
      }));
      // One that another was creating is asked for again.
      for (let left = asks; left.length > 0; ) {
        const counts = await countRequests(db, left, WINDOW);
        for (const [i, { client }] of left.entries()) if (counts[i]) known.set(client, true);
        left = left.filter((_, i) => counts[i] === undefined);
      }
    }
  };
  await Promise.all(
    sessions.map((session, i) => report(session, i % 2 ? clients : clients.toReversed())),
  );
  const rows = await database.sql('select distinct count from limit_windows');
  assert.deepEqual(rows, [{ count: 2 * rounds * sessions.length }]);
});

test('a window is cleared five seconds after its end, and not before', async () => {
  const [{ db }] = sessions as [DatabaseSession];
  // In one transaction, where the time stands still.
  await db.run(sql.nothing`begin`);
  await db.run(sql.nothing`delete from limit_windows`);
  await db.run(sql.nothing`
    insert into limit_windows (tenant_id, limiter, client, ends_at, count)
    select 1, 'public', client, now() + ends_in * interval '1 second', 1
    from (values ('192.0.2.1'::inet, -6), ('192.0.2.2', -4), ('192.0.2.3', 4)) w (client, ends_in)
  `);
  assert.equal(await clearEndedWindows(db), 1);
  const left = await db.any(sql.value(v.string())`
    select host(client) from limit_windows order by client
  `);
  assert.deepEqual(left, ['192.0.2.2', '192.0.2.3']);
  await db.run(sql.nothing`rollback`);
});

test('a gateway adds the requests of a restaurant to those of its day once a minute', async (t) => {
  const [{ id }] = await database.sql`
    with made as (insert into tenants (slug) values ('osteria') returning id)
    insert into versions (tenant_id, version, actor_kind, origin)
    select id, 1, 'operator', 'cli' from made returning tenant_id as id`;
  let now = 1_000_000;
  const limits = await createCountedLimits({
    ...{ databaseUrl: database.url, now: () => now, log: pino({ level: 'silent' }) },
    limits: { public: 120, admin: 30, analytics: 300 },
    constants: { ...constants, ...patience, limitClearInterval: 1, limitWindow: 1_000 },
  });
  t.after(() => limits.stop());
  const stored = () => database.sql(`select requests::int from request_days`);
  // Each round forgets the window first, so the second one says that the first has ended. Only the
  // first request waits for its report.
  for (let round = 0; round < 2; round += 1) {
    await limits.take('public', id, 1);
    now += 1_000;
    await until('the window stays', () => limits.stats().windows === 0);
  }
  assert.deepEqual(await stored(), []);
  now += constants.requestTallyInterval;
  await untilFound('no request is stored', stored);
  assert.deepEqual(await stored(), [{ requests: 1 }]);
});
