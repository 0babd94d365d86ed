import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../load/client.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { changePrice, openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { runCli } from '../processes/cli.ts';
import { type Gateway, startLavagna } from '../processes/lavagna.ts';
import { postmasterPid } from '../processes/postgres.ts';
import { group } from '../processes/running.ts';
import { type ServiceProcess, startServiceProcess } from '../processes/service-process.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { cpuTime, treeCpuTime } from '../processes/usage.ts';
import type { Figure, Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const PRICES = 50;
const PAUSE_MS = 25;
const WORKERS = [1, 2, 4];
const SETTLE_MS = 10_000;
/** Each load is sent so often: once lasts little more than a second. */
const SENT = 3;

/** A gateway without a worker, the demo restaurant and generated ones. */
interface Setup {
  gateway: Gateway;
  /** The process whose descendants are all others, Postgres among them. */
  lavagnaPid: number;
  client: Client;
  demo: Restaurant;
  generated: Restaurant[];
  writes: number;
}

const latencyFigures = (what: string, times: readonly number[]): Figure[] => {
  const { p50, p99 } = percentilesOf(times);
  return [
    { name: `${what}: p50`, unit: 'ms', median: p50 },
    { name: `${what}: p99`, unit: 'ms', median: p99 },
  ];
};

/** Time from a write to its answer when nothing else runs. */
async function measureIdle({ client, demo, writes }: Setup): Promise<Finding> {
  const times: number[] = [];
  for (let count = 0; count < writes; count += 1) {
    times.push(await changePrice(client, demo, 1 + (count % PRICES)));
    await sleep(PAUSE_MS);
  }
  // The first fifth runs code that V8 has not optimised yet.
  const warm = times.slice(writes / 5);
  const title = 'PUT of a price, 109 dishes in five languages, one after the other';
  return { title, figures: latencyFigures('PUT to 200', warm) };
}

/** CPU time in µs that processes of each kind have used; without Postgres where it is not ours. */
function cpuTimes(
  { gateway, lavagnaPid }: Setup,
  workers: readonly ServiceProcess[],
): Map<string, number> {
  const times = new Map([
    ['gateway', cpuTime([gateway.pid])],
    ['workers', cpuTime(workers.map(({ pid }) => pid))],
  ]);
  const postmaster = postmasterPid(lavagnaPid);
  // A backend may end meanwhile: the server process knows what it has used.
  if (postmaster !== undefined) times.set('Postgres', treeCpuTime(postmaster));
  return times;
}

async function measureRate(
  setup: Setup,
  name: string,
  workers: readonly ServiceProcess[],
  send: () => Promise<number>,
): Promise<Figure[]> {
  const before = cpuTimes(setup, workers);
  const startedAt = performance.now();
  const count = await send();
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  const costs = Array.from(
    cpuTimes(setup, workers),
    ([kind, used]): Figure => ({
      name: `${name}: CPU of ${kind}`,
      unit: 'ms/write',
      median: (used - (before.get(kind) ?? 0)) / 1_000 / count,
    }),
  );
  return [{ name, unit: 'writes/s', median: perSecond }, ...costs];
}

/** Sends all at once, as many as may wait for each restaurant. */
async function sendAtOnce({ client, writes }: Setup, restaurants: readonly Restaurant[]) {
  const each = Math.min(150, Math.ceil(writes / restaurants.length));
  const sent = restaurants.flatMap((restaurant) =>
    Array.from({ length: each }, (_, price) => changePrice(client, restaurant, 1 + price)),
  );
  return (await Promise.all(sent)).length;
}

/** Each restaurant sends its next write when the last one is answered. */
async function sendInTurn({ client, writes }: Setup, restaurants: readonly Restaurant[]) {
  const each = Math.ceil(writes / restaurants.length);
  await Promise.all(
    restaurants.map(async (restaurant) => {
      for (let count = 0; count < each; count += 1) {
        await changePrice(client, restaurant, 1 + (count % PRICES));
      }
    }),
  );
  return each * restaurants.length;
}

/** The writes a second of one, two and four workers. */
async function measureWorkers(
  setup: Setup,
  workers: ServiceProcess[],
  startWorker: () => Promise<ServiceProcess>,
): Promise<Finding> {
  const { demo, generated } = setup;
  const many = `${generated.length} restaurants`;
  const loads: [name: string, send: () => Promise<number>][] = [
    ['one restaurant, at once', () => sendAtOnce(setup, [demo])],
    [`${many}, at once`, () => sendAtOnce(setup, generated)],
    [`${many}, one after the other`, () => sendInTurn(setup, generated)],
  ];
  const figures: Figure[] = [];
  for (const count of WORKERS) {
    while (workers.length < count) workers.push(await startWorker());
    // A new one compiles its code, and looks through all that may wait.
    await sleep(SETTLE_MS);
    for (const [load, send] of loads) {
      // The first of a new process run code that V8 has not optimised yet.
      await send();
      const name = `${count} worker${count === 1 ? '' : 's'}, ${load}`;
      const rate = await measureRate(setup, name, workers, async () => {
        let sent = 0;
        for (let time = 0; time < SENT; time += 1) sent += await send();
        return sent;
      });
      figures.push(...rate);
    }
  }
  return { title: 'Writes with one, two and four workers', figures };
}

async function measure(setup: Setup, databaseUrl: string): Promise<Finding[]> {
  const startWorker = () => startServiceProcess('workers/main.ts', databaseUrl);
  await using workers = group(await startWorker());
  return [await measureIdle(setup), await measureWorkers(setup, workers, startWorker)];
}

/** Writes through the admin API: alone, and as many as the workers can do. */
export const writes: Scenario = {
  name: 'writes',
  run: ({ size, progress }) =>
    withFolder('writes', async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      progress(`planting ${size.writtenRestaurants} restaurants`);
      await runCli(env, 'demo', '--tenants', String(size.writtenRestaurants));
      await using lavagna = await startLavagna(dataDir, { FORMATION: 'gateway=1,worker=0' });
      const { gateway } = lavagna;
      using client = createClient(gateway.port);
      const tenants = await runCli<{ slug: string }[]>(env, 'tenant', 'list');
      const restaurants: Restaurant[] = [];
      for (const { slug } of tenants) {
        if (slug !== 'pizzeria') restaurants.push(await openRestaurant(client, slug));
      }
      const [demo, ...generated] = restaurants;
      if (!demo) throw new Error('no restaurant was planted');
      progress('writing');
      const { writes } = size;
      const lavagnaPid = lavagna.pid;
      const setup = { gateway, lavagnaPid, client, demo, generated, writes };
      return await measure(setup, lavagna.databaseUrl);
    }),
};
