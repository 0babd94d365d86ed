import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../load/client.ts';
import { type LoadRequest, timedLoad } from '../load/job.ts';
import type { LoadGenerator } from '../load/load-generator.ts';
import { drawSkewed } from '../load/random.ts';
import { changePrice, openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { duringTraffic, eventsOf } from '../load/traffic.ts';
import { largeMenu, sendMenu } from '../load/whole-menus.ts';
import { capture } from '../measure/capture.ts';
import { measureLoad } from '../measure/comparison.ts';
import { medianOf } from '../measure/median.ts';
import { callCli } from '../processes/cli.ts';
import { connect, type Database } from '../processes/database.ts';
import type { Lavagna } from '../processes/lavagna.ts';
import { startServiceProcess } from '../processes/service-process.ts';
import { commandLine, cpuTime, peakMb, processTree, residentMb } from '../processes/usage.ts';
import { photoTurns, strangers } from './strangers.ts';

/** A running Lavagna of one revision, with the demo restaurants. */
export interface Subject {
  folder: string;
  dataDir: string;
  lavagna: Lavagna;
}

/** Measures one round; a cost for each name, lower is better. */
export type MeasureRound = () => Promise<Record<string, number>>;

/** The demo restaurants: one with a usual menu, and one with 109 dishes in five languages. */
const USUAL = 'pizzeria';
const LARGE = 'trattoria';
const SECONDS = 1;
const EVENTS_PER_REQUEST = 20;
const EVENT_REQUESTS = 100;
const POLL_MS = 20;
const WRITES = 40;
const PRICES = 50;
/** Writes before those that count: V8 compiles meanwhile. */
const WARMING_WRITES = 400;
/** Generated restaurants, and how many of their menus a round reads for the first time. */
const RESTAURANTS = 2_000;
const COLD_READS = 100;
/** Generated restaurants among which hot reads choose, and the choices before they come again. */
const MANY_RESTAURANTS = 5_000;
const DRAWS = 50_000;
const COLD_CONNECTIONS = 4;

/** CPU time of each request under load, by name. */
function measureRequests(
  { lavagna }: Subject,
  load: LoadGenerator,
  loads: Record<string, LoadRequest | LoadRequest[]>,
  statuses: Record<string, number> = {},
): MeasureRound {
  return async () => {
    const costs: Record<string, number> = {};
    for (const [name, requests] of Object.entries(loads)) {
      const job = timedLoad(lavagna.gateway.port, [requests].flat(), SECONDS, statuses[name]);
      const { cpu, requests: answered } = await measureLoad(load, lavagna.gateway, job);
      costs[`${name}, CPU µs/request`] = cpu / answered;
    }
    return costs;
  };
}

async function hotMenu(subject: Subject, load: LoadGenerator): Promise<MeasureRound> {
  const path = '/api/v1/menu';
  const plain = { Host: `${USUAL}.localhost` };
  const headers = { ...plain, 'Accept-Encoding': 'br' };
  const known = await capture(subject.lavagna.gateway.port, path, headers);
  const conditional = { ...headers, 'If-None-Match': known.etag };
  const loads = {
    'hot /menu, not compressed': { path, headers: plain },
    'hot /menu, br': { path, headers },
    'hot /menu, 304': { path, headers: conditional },
  };
  return measureRequests(subject, load, loads, { 'hot /menu, 304': 304 });
}

async function items(subject: Subject, load: LoadGenerator): Promise<MeasureRound> {
  const headers = { Host: `${LARGE}.localhost` };
  const { body } = await capture(subject.lavagna.gateway.port, '/api/v1/items?per_page=1', headers);
  const [dish] = JSON.parse(body.toString()).data;
  const list = `/api/v1/items?category_id=${dish.category_id}`;
  return measureRequests(subject, load, {
    'hot /items by section': { path: list, headers },
    'hot /items by search': { path: '/api/v1/items?search=po', headers },
  });
}

/** The gateway or the worker of a Lavagna. */
function pidOf({ lavagna }: Subject, file: 'gateway/main.ts' | 'workers/main.ts'): number {
  const pid = processTree(lavagna.pid).find((each) => commandLine(each).includes(file));
  if (pid === undefined) throw new Error(`${file} does not run`);
  return pid;
}

const pidsOf = (subject: Subject) => [
  pidOf(subject, 'gateway/main.ts'),
  pidOf(subject, 'workers/main.ts'),
];

/** CPU time of gateway and worker for a write to a restaurant, and the time to its answer. */
async function measureWrites(
  subject: Subject,
  client: Client,
  restaurant: Restaurant,
  what: string,
): Promise<MeasureRound> {
  const pids = pidsOf(subject);
  const write = async (total: number) => {
    const times: number[] = [];
    for (let count = 0; count < total; count += 1) {
      times.push(await changePrice(client, restaurant, 1 + (count % PRICES)));
    }
    return times;
  };
  await write(WARMING_WRITES);
  return async () => {
    const before = cpuTime(pids);
    const times = await write(WRITES);
    return {
      [`${what}, CPU µs`]: (cpuTime(pids) - before) / WRITES,
      [`${what}, ms to the answer`]: medianOf(times),
    };
  };
}

/** Writes to a menu of 109 dishes. */
async function writes(subject: Subject): Promise<MeasureRound> {
  const client = createClient(subject.lavagna.gateway.port);
  const restaurant = await openRestaurant(client, LARGE, subject);
  return measureWrites(subject, client, restaurant, 'write');
}

/** Writes to a menu of 4,000 dishes. */
async function largeWrites(subject: Subject): Promise<MeasureRound> {
  const client = createClient(subject.lavagna.gateway.port);
  const empty = await openRestaurant(client, USUAL, subject);
  await sendMenu(client, empty, largeMenu(5), '', 'large menu');
  const restaurant = await openRestaurant(client, USUAL, subject);
  return measureWrites(subject, client, restaurant, 'write, 4,000 dishes');
}

/** A menu of 4,000 dishes in five languages: tried, and imported with other prices. */
async function wholeMenu(subject: Subject): Promise<MeasureRound> {
  const client = createClient(subject.lavagna.gateway.port);
  const restaurant = await openRestaurant(client, USUAL, subject);
  const [gateway, worker] = [pidOf(subject, 'gateway/main.ts'), pidOf(subject, 'workers/main.ts')];
  let price = 0;
  return async () => {
    price += 1;
    const costs: Record<string, number> = {};
    const kinds = [
      ['dry run', '?dry_run=1'],
      ['import', ''],
    ] as const;
    for (const [kind, query] of kinds) {
      const before = [cpuTime([gateway]), cpuTime([worker])] as const;
      const seconds = await sendMenu(client, restaurant, largeMenu(price), query, kind + price);
      costs[`${kind}, CPU ms of the gateway`] = (cpuTime([gateway]) - before[0]) / 1_000;
      costs[`${kind}, CPU ms of the worker`] = (cpuTime([worker]) - before[1]) / 1_000;
      costs[`${kind}, s`] = seconds;
    }
    costs['most MiB of the gateway'] = peakMb(gateway);
    costs['most MiB of the worker'] = peakMb(worker);
    return costs;
  };
}

/** Reads beside writes and events of the same restaurant; the CPU time of all of them. */
async function busy(subject: Subject, load: LoadGenerator): Promise<MeasureRound> {
  const { gateway } = subject.lavagna;
  const client = createClient(gateway.port);
  const restaurant = await openRestaurant(client, LARGE, subject);
  const headers = { Host: `${LARGE}.localhost` };
  const job = timedLoad(gateway.port, [{ path: '/api/v1/menu', headers }], SECONDS);
  return async () => {
    const measured = await duringTraffic(client, restaurant, () => measureLoad(load, gateway, job));
    const { cpu, requests, p99 } = measured;
    return {
      'reads beside writes and events, CPU µs/request': cpu / requests,
      'reads beside writes and events, p99 in ms': p99,
    };
  };
}

/** CPU time of gateway and worker for an event that is accepted and counted. */
async function events(subject: Subject): Promise<MeasureRound> {
  const { gateway, databaseUrl } = subject.lavagna;
  const client = createClient(gateway.port);
  const restaurant = await openRestaurant(client, LARGE, subject);
  const call = eventsOf(restaurant, EVENTS_PER_REQUEST);
  const pids = pidsOf(subject);
  const isCounted = async (db: Database) => {
    const text = `select from pgboss.job where name = 'analytics-events' and state < 'completed'`;
    return (await db.query(text)).rows.length === 0;
  };
  return async () => {
    await using db = await connect(databaseUrl);
    const before = cpuTime(pids);
    for (let count = 0; count < EVENT_REQUESTS; count += 1) {
      await client.expect(202, restaurant.slug, call);
    }
    while (!(await isCounted(db))) await sleep(POLL_MS);
    const cpu = (cpuTime(pids) - before) / (EVENT_REQUESTS * EVENTS_PER_REQUEST);
    return { 'event, CPU µs': cpu };
  };
}

/** Seconds and CPU time until a further gateway and a further worker are ready. */
async function start({ folder, lavagna }: Subject): Promise<MeasureRound> {
  return async () => {
    const costs: Record<string, number> = {};
    for (const file of ['gateway/main.ts', 'workers/main.ts'] as const) {
      const startedAt = performance.now();
      await using started = await startServiceProcess(file, lavagna.databaseUrl, { folder });
      costs[`${file} is ready, s`] = (performance.now() - startedAt) / 1_000;
      costs[`${file} is ready, CPU ms`] = cpuTime([started.pid]) / 1_000;
      costs[`${file}, MiB`] = residentMb(started.pid);
    }
    return costs;
  };
}

/** Plants restaurants and returns their slugs. */
async function plantRestaurants({ folder, dataDir }: Subject, count: number): Promise<string[]> {
  const given = { env: { DATA_DIR: dataDir }, folder };
  await callCli({ ...given, args: ['demo', '--tenants', String(count)] });
  const listed = await callCli<{ slug: string }[]>({ ...given, args: ['tenant', 'list'] });
  return listed.map(({ slug }) => slug).filter((slug) => slug !== USUAL && slug !== LARGE);
}

/** CPU time of a hot read of one menu among many in memory, and of many by Zipf's law. */
async function manyTenants(subject: Subject, load: LoadGenerator): Promise<MeasureRound> {
  const slugs = await plantRestaurants(subject, MANY_RESTAURANTS);
  const menuOf = (slug: string): LoadRequest => {
    const headers = { Host: `${slug}.localhost`, 'Accept-Encoding': 'br' };
    return { path: '/api/v1/menu', headers };
  };
  await load.run({
    kind: 'requests',
    port: subject.lavagna.gateway.port,
    connections: COLD_CONNECTIONS,
    requests: slugs.map(menuOf),
    expectedStatus: 200,
  });
  return measureRequests(subject, load, {
    'hot /menu among many': slugs.slice(0, 1).map(menuOf),
    "hot /menu by Zipf's law": drawSkewed(slugs, DRAWS).map(menuOf),
  });
}

/** CPU time of the gateway for the first read of a menu, and the time to its answer. */
async function coldMenu(subject: Subject, load: LoadGenerator): Promise<MeasureRound> {
  const { lavagna } = subject;
  const unread = await plantRestaurants(subject, RESTAURANTS);
  return async () => {
    const restaurants = unread.splice(0, COLD_READS);
    if (restaurants.length < COLD_READS) throw new Error('every menu was read: take fewer rounds');
    const requests = restaurants.map((slug) => {
      return { path: '/api/v1/menu', headers: { Host: `${slug}.localhost` } };
    });
    const { cpu, p50 } = await measureLoad(load, lavagna.gateway, {
      kind: 'requests',
      port: lavagna.gateway.port,
      connections: COLD_CONNECTIONS,
      requests,
      expectedStatus: 200,
    });
    return { 'cold /menu, CPU µs': cpu / COLD_READS, 'cold /menu, ms to the answer': p50 };
  };
}

/** The scenarios that `compare` can measure, by the name that `--only` takes. */
export const comparisons: Record<
  string,
  (subject: Subject, load: LoadGenerator) => Promise<MeasureRound>
> = {
  'hot-menu': hotMenu,
  'cold-menu': coldMenu,
  'many-tenants': manyTenants,
  'large-writes': largeWrites,
  'whole-menu': wholeMenu,
  'photo-turns': photoTurns,
  strangers,
  busy,
  events,
  start,
  items,
  writes,
};
