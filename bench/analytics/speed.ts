import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEvents } from '../load/events.ts';
import type { Member } from '../processes/service-process.ts';
import { cpuTime, residentMb } from '../processes/usage.ts';
import { createClient } from './client.ts';
import type { Stage } from './stage.ts';

const SECONDS = 8;
const READS_A_SECOND = 200;
/** Requests that are under way at once, by the events in each. */
const LOADS = [
  { batch: 1, connections: 256 },
  { batch: 20, connections: 128 },
  { batch: 500, connections: 16 },
];
const BACKLOG = 300_000;
/** Events a second that one gateway is to accept in batches of 20, and one worker to process. */
const GOAL = 20_000;

/** Reads the menu beside whatever else happens, from a process of its own. */
async function probing<T>(stage: Stage, gateway: Member, work: () => Promise<T>) {
  const file = join(import.meta.dirname, 'probe.ts');
  const args = [String(gateway.port), stage.host, String(READS_A_SECOND)];
  const probe = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  probe.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(probe, 'close');
  const result = await work();
  probe.stdin.end();
  await ended;
  return { result, menu: JSON.parse(output) as { p50: number; p99: number } };
}

/** Bodies are made before the clock starts: the load must cost less than what it measures. */
function makeBodies(stage: Stage, batch: number, events: number, seed: number): string[] {
  const now = Date.now();
  const { items, sections } = stage;
  const next = createEvents(seed, {
    items,
    sections,
    from: now - 3_600_000,
    to: now,
    visitors: 3_000,
  });
  return Array.from({ length: Math.ceil(events / batch) }, () =>
    JSON.stringify(Array.from({ length: batch }, next)),
  );
}

/** Sends bodies as fast as they are accepted, and says how many events a second that is. */
async function send(
  stage: Stage,
  port: number,
  bodies: string[],
  batch: number,
  connections: number,
) {
  const client = createClient(stage.host, connections);
  const started = performance.now();
  const bound = started + SECONDS * 1_000;
  let accepted = 0;
  let next = 0;
  const one = async () => {
    while (performance.now() < bound && next < bodies.length) {
      const body = bodies[next++] as string;
      const answer = await client.send(port, 'POST', '/analytics/events', { body });
      if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
      accepted += batch;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  client.close();
  return {
    events: accepted,
    perSecond: Math.round(accepted / ((performance.now() - started) / 1_000)),
  };
}

async function processed(
  stage: Stage,
  total: number,
): Promise<{ events: number; perSecond: number }> {
  const count = async () => {
    const { rows } = await stage.db.query(
      `select coalesce(sum(events), 0)::float8 as events from analytics_counts
       where scope = 'total'`,
    );
    return rows[0].events as number;
  };
  // The worker's own start does not count: the clock runs from its first commit.
  let first = 0;
  while (first === 0) {
    first = await count();
    await sleep(10);
  }
  const started = performance.now();
  while ((await count()) < total) await sleep(20);
  const seconds = (performance.now() - started) / 1_000;
  return { events: total, perSecond: Math.round((total - first) / seconds) };
}

/** The processor time of each event, in µs, that a process used for `work`. */
async function priced<T extends { events: number }>(pid: number, work: () => Promise<T>) {
  const before = cpuTime([pid]);
  const result = await work();
  const used = cpuTime([pid]) - before;
  return { ...result, cpuMicroseconds: Math.round((used * 10) / result.events) / 10 };
}

/** Sends a load to the gateway; says what it cost and how the menu was read beside it. */
async function loaded(stage: Stage, gateway: Member, batch: number, connections: number) {
  const events = batch === 1 ? 40_000 : BACKLOG;
  const bodies = makeBodies(stage, batch, events, Date.now() % 1_000_000);
  const { result, menu } = await probing(stage, gateway, () =>
    priced(gateway.pid, () => send(stage, gateway.port, bodies, batch, connections)),
  );
  return { batch, ...result, gatewayMb: residentMb(gateway.pid), menu };
}

/** Events accepted and processed in a second, with the p99 of menu reads beside. */
export async function speed(stage: Stage): Promise<boolean> {
  const gateway = await stage.startGateway();
  const say = (step: string, figures: object) =>
    console.log(JSON.stringify({ scenario: 'speed', step, ...figures }));
  const idle = await probing(stage, gateway, () => sleep(SECONDS * 1_000));
  say('no events', { menu: idle.menu });
  let met = true;
  let total = 0;
  for (const { batch, connections } of LOADS) {
    const figures = await loaded(stage, gateway, batch, connections);
    total += figures.events;
    if (batch === 20) met &&= figures.perSecond >= GOAL;
    say('accepted', figures);
  }
  const worker = await stage.startWorker();
  const { result, menu } = await probing(stage, gateway, () =>
    priced(worker.pid, () => processed(stage, total)),
  );
  say('processed', { ...result, workerMb: residentMb(worker.pid), menu });
  met &&= result.perSecond >= GOAL;
  say('accepted while a worker processes', await loaded(stage, gateway, 20, 128));
  await worker.stop();
  await gateway.stop();
  return met;
}
