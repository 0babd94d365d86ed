import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../load/client.ts';
import type { Reply } from '../load/http-call.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { changePrice, openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { startMenuReaders } from '../load/timed-load.ts';
import { capture } from '../measure/capture.ts';
import { startBare } from '../peers/peer.ts';
import { runCli } from '../processes/cli.ts';
import { type Gateway, startLavagna } from '../processes/lavagna.ts';
import { postmasterPid } from '../processes/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../processes/service-process.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { cpuTime, mainThreadTimes, treeCpuTime } from '../processes/usage.ts';
import { atLeast, type Figure, type Finding, type Goal } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const PRICES = 50;
const PAUSE_MS = 25;
const POLL_MS = 20;
const READS_PER_SECOND = 700;
const CALM_MS = 3_000;
const WORKERS = [1, 2, 4];
/** The rate that one worker has to reach over many restaurants. */
const MANY_PER_SECOND = 1_000;

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

/** Waits for the result of a write that was answered 202. */
async function finish(client: Client, { slug, headers }: Restaurant, first: Reply): Promise<Reply> {
  const path = String(first.headers.location).replace('/api/v1', '');
  let last = first;
  while (last.status === 202) {
    await sleep(POLL_MS);
    last = await client.call(slug, { path, headers });
  }
  return last;
}

/** Creates a dish and reads it back; returns the milliseconds to the first answer. */
async function createAndRead(
  client: Client,
  restaurant: Restaurant,
  name: string,
): Promise<number> {
  const { slug, headers, sectionId } = restaurant;
  const body = { category_id: sectionId, name: { it: name }, price: 1 };
  const first = await client.call(slug, { method: 'POST', path: '/admin/items', headers, body });
  const { status, text } = await finish(client, restaurant, first);
  if (status !== 201) throw new Error(`expected 201, got ${status}: ${text}`);
  await client.expect(200, slug, { path: `/items/${JSON.parse(text).data.id}` });
  return first.took;
}

/** Many writes at once while displays read, from the gateway and from a bare server beside it. */
async function measureBurst({ gateway, client, generated, writes }: Setup): Promise<Finding> {
  const slugs = generated.map(({ slug }) => slug);
  const headers = { Host: `${slugs[0]}.localhost`, 'Accept-Encoding': 'br' };
  const bare = await startBare(await capture(gateway.port, '/api/v1/menu', headers), {
    isPinned: false,
  });
  const readers = await startMenuReaders(gateway.port, slugs, READS_PER_SECOND);
  const bareReaders = await startMenuReaders(bare.port, slugs, READS_PER_SECOND);
  const take = () => Promise.all([readers.take(), bareReaders.take()]);
  try {
    await sleep(CALM_MS);
    const [calm, bareCalm] = await take();
    const before = mainThreadTimes(gateway.pid);
    const times = await Promise.all(
      Array.from({ length: writes }, (_, count) => {
        const restaurant = generated[count % generated.length] as Restaurant;
        return createAndRead(client, restaurant, `Carico ${count}`);
      }),
    );
    const after = mainThreadTimes(gateway.pid);
    const [busy, bareBusy] = await take();
    return {
      title: `${writes} POSTs at once over ${generated.length} restaurants, each read back`,
      figures: [
        ...latencyFigures('POST to answer', times),
        ...latencyFigures('displays before', calm),
        ...latencyFigures('displays meanwhile', busy),
        ...latencyFigures('displays of a bare server before', bareCalm),
        ...latencyFigures('displays of a bare server meanwhile', bareBusy),
        { name: 'gateway’s main thread ran', unit: 'ms', median: after.ran - before.ran },
        { name: 'waited for a core', unit: 'ms', median: after.waited - before.waited },
      ],
    };
  } finally {
    for (const { stop } of [readers, bareReaders, bare]) await stop();
  }
}

/** Writes a second, and CPU time of a write in each kind of process. */
interface Rate {
  perSecond: number;
  figures: Figure[];
}

async function measureRate(
  { gateway, lavagnaPid }: Setup,
  name: string,
  workers: readonly ServiceProcess[],
  send: () => Promise<number>,
): Promise<Rate> {
  const postmaster = postmasterPid(lavagnaPid);
  const kinds: [kind: string, used: () => number][] = [
    ['gateway', () => cpuTime([gateway.pid])],
    ['workers', () => cpuTime(workers.map(({ pid }) => pid))],
    // A backend may end meanwhile: the server process knows what it has used.
    ...(postmaster === undefined
      ? []
      : [['Postgres', () => treeCpuTime(postmaster)] as [string, () => number]]),
  ];
  const before = kinds.map(([, used]) => used());
  const startedAt = performance.now();
  const count = await send();
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  const costs = kinds.map(
    ([kind, used], at): Figure => ({
      name: `${name}: CPU of ${kind}`,
      unit: 'ms/write',
      median: (used() - (before[at] ?? 0)) / 1_000 / count,
    }),
  );
  return { perSecond, figures: [{ name, unit: 'writes/s', median: perSecond }, ...costs] };
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
  const goals: Goal[] = [];
  const alone = new Map<string, number>();
  for (const count of WORKERS) {
    while (workers.length < count) workers.push(await startWorker());
    for (const [load, send] of loads) {
      // The first of a new process run code that V8 has not optimised yet.
      await send();
      const name = `${count} worker${count === 1 ? '' : 's'}, ${load}`;
      const { perSecond, figures: measured } = await measureRate(setup, name, workers, send);
      figures.push(...measured);
      const one = alone.get(load);
      if (one === undefined) alone.set(load, perSecond);
      else goals.push(atLeast(`${name}: writes/s ÷ with one worker`, perSecond / one, 1));
      if (one === undefined && load.startsWith(many)) {
        goals.push(atLeast(`${name}: writes/s`, perSecond, MANY_PER_SECOND));
      }
    }
  }
  return { title: 'Writes with one, two and four workers', figures, goals };
}

async function measure(setup: Setup, databaseUrl: string): Promise<Finding[]> {
  const startWorker = () => startServiceProcess('workers/main.ts', databaseUrl);
  const workers = [await startWorker()];
  try {
    const findings = [await measureIdle(setup), await measureBurst(setup)];
    return [...findings, await measureWorkers(setup, workers, startWorker)];
  } finally {
    for (const worker of workers) await worker.stop();
  }
}

/** Writes through the admin API: alone, in a burst, and as many as the workers can do. */
export const writes: Scenario = {
  name: 'writes',
  run: ({ size, progress }) =>
    withFolder('writes', async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      progress(`planting ${size.writtenRestaurants} restaurants`);
      await runCli(env, 'demo', '--tenants', String(size.writtenRestaurants));
      const lavagna = await startLavagna(dataDir, { FORMATION: 'gateway=1,worker=0' });
      const { gateway } = lavagna;
      const client = createClient(gateway.port);
      try {
        const tenants = await runCli<{ slug: string }[]>(env, 'tenant', 'list');
        const restaurants: Restaurant[] = [];
        for (const { slug } of tenants) {
          if (slug !== 'pizzeria') restaurants.push(await openRestaurant(client, env, slug));
        }
        const [demo, ...generated] = restaurants;
        if (!demo) throw new Error('no restaurant was planted');
        progress('writing');
        const lavagnaPid = lavagna.pid;
        const setup = { gateway, lavagnaPid, client, demo, generated, writes: size.writes };
        return await measure(setup, lavagna.databaseUrl);
      } finally {
        client.close();
        await lavagna.stop();
      }
    }),
};
