// The decisions in memory, on an injected clock.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { constants } from '../../../db/runtime/constants.ts';
import type { WindowAsk } from '../../../db/sql/limit-windows.ts';
import { createLimitSync } from '../../../gateway/limits/limit-sync.ts';
import type { Verdict } from '../../../gateway/limits/limits.ts';
import { Windows } from '../../../gateway/limits/windows.ts';
import { createWindowTable } from '../../support/window-table.ts';

const LENGTH = 60_000;
const LIMITS = { public: 120, admin: 30, analytics: 300 };

/** Windows of a gateway that has run for longer than a minute: it has forgotten nothing. */
function seasoned(maxWindows = 1_000): { windows: Windows; now: number } {
  const options = { limits: LIMITS, length: LENGTH, maxWindows, longTrip: 200, now: 0 };
  return { windows: new Windows(options), now: LENGTH };
}

function atOnce(verdict: Verdict | Promise<Verdict>): Verdict {
  assert.ok(!(verdict instanceof Promise), 'the request waits');
  return verdict;
}

function report(windows: Windows, table: ReturnType<typeof createWindowTable>, now: number): void {
  const batch = windows.collect(1_000, now);
  windows.settle(batch, table.count(batch.asks, now), now, now);
}

test('a window lasts 60 s from the first request, and a refused one changes nothing', () => {
  const { windows, now } = seasoned();
  const table = createWindowTable(LENGTH);
  for (const [limiter, limit] of Object.entries(LIMITS) as ['public', number][]) {
    for (let i = 0; i < limit; i += 1) {
      const verdict = atOnce(windows.take(limiter, 1, 1, now + i * 10));
      assert.deepEqual(verdict, { admitted: true, remaining: limit - i - 1, resetIn: 0 });
      report(windows, table, now + i * 10);
    }
    for (const late of [limit * 10, 30_000, LENGTH - 1]) {
      const verdict = atOnce(windows.take(limiter, 1, 1, now + late));
      assert.deepEqual(verdict, { admitted: false, remaining: 0, resetIn: LENGTH - late });
    }
    const next = atOnce(windows.take(limiter, 1, 1, now + LENGTH));
    assert.deepEqual(next, { admitted: true, remaining: limit - 1, resetIn: 0 });
  }
});

test('a window that begins between two milliseconds ends with a whole one', () => {
  const { windows, now } = seasoned();
  const table = createWindowTable(LENGTH);
  // Opened, then renewed.
  for (const start of [now + 0.25, now + LENGTH + 1.25]) {
    atOnce(windows.take('admin', 1, 1, start));
    const batch = windows.collect(1_000, start);
    assert.equal(batch.asks[0]?.endsIn, LENGTH + 0.75);
    windows.settle(batch, table.count(batch.asks, start), start, start);
    for (let i = 1; i < LIMITS.admin; i += 1) {
      atOnce(windows.take('admin', 1, 1, start));
      report(windows, table, start);
    }
    const late = atOnce(windows.take('admin', 1, 1, start + LENGTH));
    assert.deepEqual(late, { admitted: false, remaining: 0, resetIn: 0.75 });
  }
});

test('far from its limit a client waits for nothing, alone or among several gateways', () => {
  for (const gateways of [1, 4]) {
    const { windows, now } = seasoned();
    windows.setGateways(gateways);
    const table = createWindowTable(LENGTH);
    for (let i = 0; i < 80; i += 1) {
      atOnce(windows.take('public', 1, 1, now + i * 20));
      report(windows, table, now + i * 20);
    }
  }
  const { windows, now } = seasoned();
  // A page that loads everything at once: nothing has been reported in between.
  for (let i = 0; i < 5; i += 1) atOnce(windows.take('public', 1, 1, now));
  assert.ok(windows.take('public', 1, 1, now) instanceof Promise);
});

test('a client that is new after a start waits for its count, until no window can be older', () => {
  const { windows } = seasoned();
  assert.ok(windows.take('public', 1, 1, 0) instanceof Promise);
  assert.ok(windows.take('public', 1, 2, LENGTH - 1) instanceof Promise);
  report(windows, createWindowTable(LENGTH), LENGTH - 1);
  assert.equal(windows.isAwaited, false);
  atOnce(windows.take('public', 1, 3, LENGTH));
});

test('a flood of addresses takes bounded memory and is not refused, Postgres away or not', () => {
  for (const patient of [true, false]) {
    const { windows, now } = seasoned(500);
    const table = createWindowTable(LENGTH);
    windows.setPatient(patient, now);
    for (let client = 0; client < 20_000; client += 1) {
      const verdict = windows.take('public', 1, client, now + client / 100);
      if (!(verdict instanceof Promise)) assert.ok(verdict.admitted);
      if (patient && client % 100 === 0) report(windows, table, now + client / 100);
      assert.ok(windows.stats.windows <= 500);
    }
    assert.ok(windows.stats.evicted >= 19_000);
    assert.ok(windows.collect(100_000, now + 200).windows.length <= 500);
  }
});

test('a client that was evicted finds its count again', async () => {
  const { windows, now } = seasoned(10);
  const table = createWindowTable(LENGTH);
  for (let i = 0; i < 120; i += 1) {
    atOnce(windows.take('public', 1, -1, now));
    report(windows, table, now);
  }
  for (let client = 0; client < 20; client += 1) {
    void windows.take('public', 1, client, now + 1);
    report(windows, table, now + 1);
  }
  const verdict = windows.take('public', 1, -1, now + 2);
  report(windows, table, now + 2);
  assert.equal((await verdict).admitted, false);
});

test('requests of a lost report are counted once', () => {
  const { windows, now } = seasoned();
  atOnce(windows.take('public', 1, 1, now));
  windows.fail(windows.collect(1_000, now), now);
  assert.equal(windows.left('public', 1, 1, now), LIMITS.public - 1);
  const again = windows.collect(1_000, now).asks.map(({ floor, debt }) => ({ floor, debt }));
  assert.deepEqual(again, [{ floor: 1, debt: 0 }], 'Postgres is told once more');
});

test('windows that are over leave no trace', () => {
  const { windows, now } = seasoned();
  for (let client = 0; client < 100; client += 1) atOnce(windows.take('public', 1, client, now));
  windows.sweep(30, now + LENGTH);
  assert.equal(windows.stats.windows, 70);
  windows.sweep(1_000, now + LENGTH);
  assert.equal(windows.stats.windows, 0);
  assert.ok(!windows.isDue);
});

/** Runs `seconds` of traffic of some clients a millisecond; how many statements reported it. */
async function statementsFor(
  t: TestContext,
  seconds: number,
  clientsOf: (ms: number) => number[],
): Promise<number> {
  t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
  const { windows, now: start } = seasoned(100_000);
  const table = createWindowTable(LENGTH);
  let now = start;
  let reported = 0;
  const sync = createLimitSync({
    windows,
    now: () => now,
    isReady: () => true,
    constants,
    count: async (asks: readonly WindowAsk[]) => {
      assert.ok(asks.length <= constants.limitSyncBatch);
      reported += asks.reduce((sum, { debt }) => sum + debt, 0);
      return table.count(asks, now);
    },
  });
  let taken = 0;
  for (let ms = 0; ms < seconds * 1_000; ms += 1) {
    for (const client of clientsOf(ms)) {
      atOnce(windows.take('public', 1, client, now));
      sync.wake();
      taken += 1;
    }
    now += 1;
    t.mock.timers.tick(1);
    // The statement's answer comes in microtasks.
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
  }
  const { statements } = sync.stats();
  await sync.stop();
  assert.equal(reported, taken);
  return statements;
}

test('a flood of clients is counted with a bounded number of statements', async (t) => {
  const clientsOf = (ms: number) => Array.from({ length: 40 }, (_, i) => ms * 40 + i);
  const statements = await statementsFor(t, 2, clientsOf);
  assert.ok(statements <= 2_000 / constants.limitSyncInterval + 1, `${statements} statements`);
});

test('counts that no request waits for are reported every five seconds', async (t) => {
  const statements = await statementsFor(t, 10, (ms) => (ms % 5 === 0 ? [ms % 5_000] : []));
  assert.ok(statements <= 10_000 / constants.limitReportInterval + 1, `${statements} statements`);
});

test('a client that comes often is reported before a request of it would wait', async (t) => {
  const statements = await statementsFor(t, 2, (ms) => (ms % 50 === 0 ? [1] : []));
  assert.ok(statements <= 2_000 / constants.limitFullInterval + 1, `${statements} statements`);
});
