import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChangeReport,
  type Changes,
  dishRequest,
  eventRequest,
  startChanges,
} from '../faults/outages/changes.ts';
import { type ReadReport, startReads } from '../faults/outages/reads.ts';
import { countEvents } from '../faults/outages/restaurant.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { type ClusterRestaurant, HOT_PATHS, type Lavagna } from './lavagna.ts';
import { follow, type StreamReport } from './streams.ts';

/** The result of a load, over all restaurants. */
export interface LoadReport {
  reads: Pick<ReadReport, 'sent' | 'lost' | 'slowest'> & { refused: number; firstFailure: string };
  writes: KeptWrites;
  events: Kept;
  streams: StreamReport;
}

/** Promises (2xx), and what became of them. */
interface Kept {
  promised: number;
  missing: number;
  /** There more than once, or counted although they were never sent. */
  surplus: number;
  /** Never answered 2xx within a minute. */
  unanswered: number;
  /** Answers other than 2xx and 503. */
  strange: readonly string[];
}

/** Promised writes, and what is known of each one that is missing. */
interface KeptWrites extends Kept {
  lacking: readonly string[];
}

interface Load {
  /** Time from `since` until a write, and an event, was promised, in ms. */
  untilWritten(since: number): Promise<number>;
  untilCounted(since: number): Promise<number>;
  stop(): Promise<LoadReport>;
}

const WRITE_PAUSE_MS = 300;
const EVENT_PAUSE_MS = 150;
const READ_PAUSE_MS = 200;
const STREAMS_A_RESTAURANT = 2;
const POLL_MS = 10;
const BOUND_MS = 60_000;

async function untilPromised(changes: readonly Changes[], since: number): Promise<number> {
  const bound = performance.now() + BOUND_MS;
  for (;;) {
    const after = changes.map((one) => one.lastPromise()).filter((at) => at > since);
    if (after.length > 0) return Math.min(...after) - since;
    if (performance.now() > bound) return Number.POSITIVE_INFINITY;
    await sleep(POLL_MS);
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The database's view of writes: the row of each. */
async function describeWrites(
  url: string,
  tenantId: number,
  names: readonly string[],
  { answers }: ChangeReport,
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await runSql(
    url,
    `select w.idempotency_key as name, w.created_at, w.finished_at, w.version,
       w.outcome->>'kind' as outcome, w.error, w.errors, w.timeouts
     from writes w
     where w.tenant_id = $1 and w.idempotency_key = any ($2)`,
    [tenantId, names],
  );
  const byName = new Map(rows.map(({ name, ...row }) => [name, row]));
  return names.map((name) => {
    const { status, at } = answers.get(name) ?? {};
    const answer = `${name} of restaurant ${tenantId}: answered ${status} at ${at?.toISOString()}`;
    return `${answer}, ${JSON.stringify(byName.get(name)) ?? 'no row in writes'}`;
  });
}

/** Compares the dishes that were promised with those in the database. */
async function checkDishes(
  url: string,
  { id }: ClusterRestaurant,
  report: ChangeReport,
): Promise<{ missing: number; surplus: number; lacking: string[] }> {
  const read = async () => {
    const text = `select name->>'it' as name from dishes where tenant_id = $1`;
    return (await runSql(url, text, [id])).map(({ name }) => name as string);
  };
  const missing = (names: readonly string[]) => {
    const present = new Set(names);
    return report.promised.filter((name) => !present.has(name));
  };
  const bound = Date.now() + BOUND_MS;
  let names = await read();
  // A write that was answered 202 may take a moment.
  while (missing(names).length > 0 && Date.now() < bound) {
    await sleep(POLL_MS);
    names = await read();
  }
  const lacking = await describeWrites(url, id, missing(names), report);
  return { missing: lacking.length, surplus: names.length - new Set(names).size, lacking };
}

function keptOf(
  reports: readonly ChangeReport[],
  checks: readonly { missing: number; surplus: number }[],
): Kept {
  return {
    promised: sum(reports.map(({ promised }) => promised.length)),
    missing: sum(checks.map(({ missing }) => missing)),
    surplus: sum(checks.map(({ surplus }) => surplus)),
    unanswered: sum(reports.map(({ unanswered }) => unanswered.length)),
    strange: reports.flatMap(({ strange }) => strange),
  };
}

/**
 * Starts writers, senders of events, readers and displays at every restaurant, spread over the
 * gateways; resolves when each restaurant has taken a write and an event.
 *
 * @param url of the database, for the checks at the end
 */
export async function startLoad({ gateways, restaurants }: Lavagna, url: string): Promise<Load> {
  const [first] = gateways;
  if (!first) throw new Error('there is no gateway');
  const gatewayOf = (index: number) => gateways[index % gateways.length] ?? first;
  // One after the other, here and at the end: reports cost much on a busy machine.
  const before: number[] = [];
  for (const one of restaurants) before.push(await countEvents(first.port, one, 0));
  const change = (pause: number, request: (one: ClusterRestaurant) => typeof eventRequest) =>
    restaurants.map((one, index) => {
      const { port } = gatewayOf(index);
      return startChanges({ port, host: one.host, writers: 1, pause, request: request(one)() });
    });
  const writes = change(WRITE_PAUSE_MS, ({ token, sectionId }) => {
    return () => dishRequest(token, sectionId);
  });
  const events = change(EVENT_PAUSE_MS, () => eventRequest);
  const reads = gateways.flatMap(({ port }) =>
    restaurants.map(({ host }) =>
      startReads({ port, host, paths: HOT_PATHS, readers: 1, pause: READ_PAUSE_MS }),
    ),
  );
  const followers = restaurants.map(({ host }, index) =>
    Array.from({ length: STREAMS_A_RESTAURANT }, (_, more) => {
      return follow(gatewayOf(index + more).port, host);
    }),
  );
  await until('a restaurant takes nothing', () => {
    return [...writes, ...events].every((one) => one.lastPromise() > 0);
  });

  const untilStreamsKnow = async ({ id, host }: ClusterRestaurant, index: number) => {
    const [row] = await runSql(url, 'select version from tenants where id = $1', [id]);
    await until(`a stream of ${host} lacks version ${row?.version}`, () => {
      return followers[index]?.every((one) => one.version() === Number(row?.version)) ?? false;
    });
  };
  return {
    untilWritten: (since) => untilPromised(writes, since),
    untilCounted: (since) => untilPromised(events, since),
    stop: async () => {
      const [written, sent] = [
        await Promise.all(writes.map((one) => one.stop())),
        await Promise.all(events.map((one) => one.stop())),
      ];
      const dishes = await Promise.all(
        restaurants.map((one, index) => checkDishes(url, one, written[index] as ChangeReport)),
      );
      const counted: { missing: number; surplus: number }[] = [];
      for (const [index, one] of restaurants.entries()) {
        const { promised = [], unanswered = [] } = sent[index] ?? {};
        const expected = (before[index] ?? 0) + promised.length;
        const found = (await countEvents(first.port, one, expected)) - expected;
        // An event that was answered 503 may have been stored all the same.
        const surplus = Math.max(0, found - unanswered.length);
        counted.push({ missing: Math.max(0, -found), surplus });
      }
      await Promise.all(restaurants.map(untilStreamsKnow));
      const streams = await Promise.all(followers.flat().map((one) => one.stop()));
      const read = await Promise.all(reads.map((one) => one.stop()));
      return {
        writes: { ...keptOf(written, dishes), lacking: dishes.flatMap(({ lacking }) => lacking) },
        events: keptOf(sent, counted),
        reads: {
          sent: sum(read.map((one) => one.sent)),
          lost: sum(read.map((one) => one.lost)),
          refused: sum(read.flatMap(({ refused }) => Object.values(refused))),
          slowest: Math.max(...read.map((one) => one.slowest)),
          firstFailure: read.map((one) => one.firstFailure).find((text) => text !== '') ?? '',
        },
        streams: {
          opened: sum(streams.map((one) => one.opened)),
          refused: sum(streams.map((one) => one.refused)),
          events: sum(streams.map((one) => one.events)),
          wentBack: sum(streams.map((one) => one.wentBack)),
        },
      };
    },
  };
}
