import { setTimeout as sleep } from 'node:timers/promises';
import { type ChangeReport, dishRequest, eventRequest, startChanges } from './changes.ts';
import { createClient } from './client.ts';
import { startFormation } from './formation.ts';
import type { Mishap, Postgres } from './postgres.ts';
import { type ReadReport, startReads } from './reads.ts';
import { countEvents, countKept, type Kept, makeSection, type Tenant } from './restaurant.ts';

export interface ColdReport {
  /** Reads of what no gateway held, while Postgres was away: how many, by status. */
  statuses: Record<number, number>;
  /** Those answered 503 without saying when to come again. */
  silent: number;
  /** In ms. */
  slowest: number;
}

export interface OutageReport {
  mishap: Mishap;
  /** How long Postgres was away, in ms. */
  away: number;
  /** Of menus in memory, over the whole time. */
  reads: ReadReport;
  cold: ColdReport;
  writes: ChangeReport;
  kept: Kept;
  events: ChangeReport;
  counted: number;
  /** From Postgres being back to the first write, and to the first events, promised, in ms. */
  writesBack: number;
  eventsBack: number;
  /** What the gateway and the worker told the operator. */
  log: string[];
}

const BEFORE_MS = 1_000;
const BACK_BOUND_MS = 60_000;
const POLL_MS = 20;
const COLD_PAUSE_MS = 250;

/** Asks for restaurants that nobody has asked for yet. */
function startColdReads(port: number) {
  const report: ColdReport = { statuses: {}, silent: 0, slowest: 0 };
  let stopped = false;
  const running = (async () => {
    for (let n = 0; !stopped; n += 1) {
      const client = createClient(port, `cold-${n}.localhost`, 1);
      const { status, headers, took } = await client.call({ path: '/menu' });
      client.close();
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      if (status === 503 && !headers['retry-after']) report.silent += 1;
      report.slowest = Math.max(report.slowest, took);
      await sleep(COLD_PAUSE_MS);
    }
  })();
  return async () => {
    stopped = true;
    await running;
    return report;
  };
}

/** Time until something was promised after `since`, both in ms. */
async function untilPromised(report: () => number, since: number): Promise<number> {
  const bound = performance.now() + BACK_BOUND_MS;
  while (report() < since) {
    if (performance.now() > bound) return Number.POSITIVE_INFINITY;
    await sleep(POLL_MS);
  }
  return report() - since;
}

/** What the processes wrote that an operator should read. */
function warnings(output: string): string[] {
  return output.split('\n').filter((line) => /"level":[456]0/.test(line));
}

/** Takes Postgres away from a gateway and a worker under load and gives it back. */
export async function outage(
  postgres: Postgres,
  tenant: Tenant,
  mishap: Mishap,
  duration: number,
): Promise<OutageReport> {
  const databaseUrl = postgres.url;
  const formation = await startFormation({ databaseUrl, gateways: 1, workers: 1 });
  try {
    const { port, members } = formation;
    const restaurant = await makeSection(port, tenant);
    const { host, token, sectionId } = restaurant;
    const common = { port, host };
    const paths = ['/menu', '/menu/it', '/restaurant', '/categories'];
    const reads = startReads({ ...common, paths, readers: 8, pause: 5 });
    const request = dishRequest(token, sectionId);
    const writes = startChanges({ ...common, writers: 2, pause: 50, request });
    const events = startChanges({ ...common, writers: 2, pause: 20, request: eventRequest() });
    await sleep(BEFORE_MS);
    await postgres.suffer(mishap);
    const awaySince = performance.now();
    const cold = startColdReads(port);
    await sleep(duration);
    const coldReport = await cold();
    await postgres.recover(mishap);
    const backSince = performance.now();
    const [writesBack, eventsBack] = await Promise.all([
      untilPromised(writes.lastPromise, backSince),
      untilPromised(events.lastPromise, backSince),
    ]);
    const readReport = await reads.stop();
    const [written, accepted] = [await writes.stop(), await events.stop()];
    return {
      ...{ mishap, away: backSince - awaySince, reads: readReport, cold: coldReport },
      writes: written,
      kept: await countKept(port, host, written.promised),
      events: accepted,
      counted: await countEvents(port, restaurant, accepted.promised.length),
      ...{ writesBack, eventsBack },
      log: members.flatMap(({ child }) => warnings(child.output())),
    };
  } finally {
    await formation.stop();
  }
}
