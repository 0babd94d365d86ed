import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../load/client.ts';
import { type DemoAnalytics, withDemoAnalytics } from '../load/demo-analytics.ts';
import { createEvents } from '../load/events.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { startMenuReaders } from '../load/timed-load.ts';
import { startServiceProcess } from '../processes/service-process.ts';
import { cpuTime } from '../processes/usage.ts';
import { atLeast, type Figure, type Goal } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const READS_PER_SECOND = 200;
const SEED = 1;
const HOUR_MS = 3_600_000;
/** Requests under way at once, by the events in each, and events that are prepared for a second. */
const LOADS = [
  { batch: 1, connections: 256, prepared: 10_000 },
  { batch: 20, connections: 128, prepared: 100_000 },
  { batch: 500, connections: 16, prepared: 100_000 },
];
const GOAL = 50_000;
const COUNTED = `select coalesce(sum(events), 0)::float8 as events from analytics_counts
  where scope = 'total'`;

interface Step {
  events: number;
  perSecond: number;
}

/** Sends prepared bodies as fast as the gateway accepts them. */
async function send(
  { lavagna, slug, items, sections }: DemoAnalytics,
  { batch, connections, prepared }: (typeof LOADS)[number],
  seconds: number,
): Promise<Step> {
  const now = Date.now();
  const times = { from: now - HOUR_MS, to: now };
  const next = createEvents(SEED + batch, { items, sections, ...times, visitors: 3_000 });
  const bodies = Array.from({ length: Math.ceil((prepared * seconds) / batch) }, () =>
    JSON.stringify(Array.from({ length: batch }, next)),
  );
  using client = createClient(lavagna.gateway.port, connections);
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  let accepted = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const body = bodies.pop();
        if (body === undefined) return;
        await client.expect(202, slug, { method: 'POST', path: '/analytics/events', body });
        accepted += batch;
      }
    }),
  );
  return { events: accepted, perSecond: accepted / ((performance.now() - startedAt) / 1_000) };
}

/** Waits until the worker has counted all events; the time runs from its first commit. */
async function drain({ db }: DemoAnalytics, total: number): Promise<Step> {
  const count = async () => (await db.query(COUNTED)).rows[0].events as number;
  let first = await count();
  while (first === 0) {
    await sleep(10);
    first = await count();
  }
  const startedAt = performance.now();
  while ((await count()) < total) await sleep(20);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { events: total, perSecond: (total - first) / seconds };
}

/** Accepted and processed events a second, their CPU time, and menu reads meanwhile. */
async function measure(demo: DemoAnalytics, seconds: number) {
  const { gateway, databaseUrl } = demo.lavagna;
  await using readers = await startMenuReaders(gateway.port, [demo.slug], READS_PER_SECOND);
  const figures: Figure[] = [];
  const goals: Goal[] = [];
  const step = async (name: string, pid: number, work: () => Promise<Step>): Promise<Step> => {
    await readers.take();
    const before = cpuTime([pid]);
    const done = await work();
    const cpu = (cpuTime([pid]) - before) / done.events;
    const { p99 } = percentilesOf(await readers.take());
    figures.push(
      { name, unit: 'events/s', median: done.perSecond },
      { name: `${name}: CPU`, unit: 'µs/event', median: cpu },
      { name: `${name}: p99 of menus`, unit: 'ms', median: p99 },
    );
    return done;
  };
  let total = 0;
  for (const load of LOADS) {
    const name = `accepted, ${load.batch} a request`;
    const { events, perSecond } = await step(name, gateway.pid, () => send(demo, load, seconds));
    total += events;
    if (load.batch === 20) goals.push(atLeast(`events/s ${name}`, perSecond, GOAL));
  }
  await using worker = await startServiceProcess('workers/main.ts', databaseUrl);
  const { perSecond } = await step('processed by one worker', worker.pid, () => drain(demo, total));
  goals.push(atLeast('events/s processed by one worker', perSecond, GOAL));
  return [{ title: 'Analytics events', figures, goals }];
}

/** How many events a second a gateway accepts and a worker processes. */
export const events: Scenario = {
  name: 'events',
  run: ({ size }) => withDemoAnalytics((demo) => measure(demo, size.eventSeconds)),
};
