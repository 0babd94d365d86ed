import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../../../bench/processes/service-process.ts';
import { type ChangeReport, dishRequest, eventRequest, startChanges } from './changes.ts';
import { createClient } from './client.ts';
import type { Formation } from './formation.ts';
import type { Mishap, Postgres } from './postgres.ts';
import { type ReadReport, startReads } from './reads.ts';
import { countEvents, countKept, type Kept, type Restaurant } from './restaurant.ts';

interface ColdReport {
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
  /** The log lines of the gateway and the worker. */
  log: string[];
}

/** The log line of a process that cannot reach Postgres. */
const AWAY = /Postgres cannot be reached/;
const BACK = /Postgres is back/;
const BACK_BOUND_MS = 60_000;
const POLL_MS = 20;
const COLD_PAUSE_MS = 250;
/** The paths of the readers, whose answers are in the gateway's memory. */
export const PATHS = ['/menu', '/menu/it', '/restaurant', '/categories'];

/** Asks for restaurants that no client has asked for yet. */
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

/** The warnings and errors of a process. */
function warnings(member: ServiceProcess): string[] {
  return member
    .output()
    .split('\n')
    .filter((line) => /"level":[456]0/.test(line));
}

/** Follows what processes tell from now on. */
function followWarnings(members: readonly ServiceProcess[]): () => string[] {
  const before = members.map((member) => warnings(member).length);
  return () => members.flatMap((member, index) => warnings(member).slice(before[index]));
}

const count = (lines: readonly string[], what: RegExp) =>
  lines.filter((line) => what.test(line)).length;

/** Whether these lines of one process tell of each return of Postgres. */
const isBack = (lines: readonly string[]) => count(lines, BACK) >= count(lines, AWAY);

async function until(isSo: () => boolean): Promise<void> {
  const bound = performance.now() + BACK_BOUND_MS;
  while (!isSo() && performance.now() < bound) await sleep(POLL_MS);
}

/** Takes Postgres away from running processes under load and gives it back. */
export async function outage(
  postgres: Postgres,
  formation: Formation,
  restaurant: Restaurant,
  mishap: Mishap,
  duration: number,
): Promise<OutageReport> {
  const { port, members } = formation;
  const { host, token, sectionId } = restaurant;
  const common = { port, host };
  const reads = startReads({ ...common, paths: PATHS, readers: 8, pause: 5 });
  const request = dishRequest(token, sectionId);
  const writes = startChanges({ ...common, writers: 2, pause: 50, request });
  const events = startChanges({ ...common, writers: 2, pause: 20, request: eventRequest() });
  await until(() => writes.lastPromise() > 0 && events.lastPromise() > 0);
  // A machine with too much to do may have kept one of them from Postgres before.
  await until(() => members.every((member) => isBack(warnings(member))));
  const told = followWarnings(members);
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
  await until(() => count(told(), AWAY) > 0 && isBack(told()));
  const readReport = await reads.stop();
  const [written, accepted] = [await writes.stop(), await events.stop()];
  return {
    ...{ mishap, away: backSince - awaySince, reads: readReport, cold: coldReport },
    writes: written,
    kept: await countKept(port, host, written.promised),
    events: accepted,
    counted: await countEvents(port, restaurant, accepted.promised.length),
    ...{ writesBack, eventsBack },
    log: told(),
  };
}
