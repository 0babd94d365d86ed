import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../load/client.ts';
import type { Reply } from '../load/http-call.ts';
import { startMenuReaders } from '../load/menu-readers.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { changePrice, openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { capture } from '../measure/capture.ts';
import { startBare } from '../peers/peer.ts';
import { runCli } from '../processes/cli.ts';
import { type Gateway, startLavagna } from '../processes/lavagna.ts';
import { startServiceProcess } from '../processes/service-process.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { mainThreadTimes } from '../processes/usage.ts';
import type { Figure, Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const PRICES = 50;
const PAUSE_MS = 25;
const POLL_MS = 20;
const READS_PER_SECOND = 700;
const CALM_MS = 3_000;

/** A gateway without a worker, the demo restaurant and generated ones. */
interface Setup {
  gateway: Gateway;
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

/** Writes a second when all are sent at once. */
async function measureRate(
  { client, writes }: Setup,
  name: string,
  restaurants: readonly Restaurant[],
): Promise<Figure> {
  const startedAt = performance.now();
  // The queue of one restaurant is limited.
  const each = Math.min(150, Math.ceil(writes / restaurants.length));
  const sent = restaurants.flatMap((restaurant) =>
    Array.from({ length: each }, (_, price) => changePrice(client, restaurant, 1 + price)),
  );
  await Promise.all(sent);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { name, unit: 'writes/s', median: sent.length / seconds };
}

async function measure(setup: Setup, databaseUrl: string): Promise<Finding[]> {
  const { demo, generated } = setup;
  const startWorker = () => startServiceProcess('workers/main.ts', databaseUrl);
  const workers = [await startWorker()];
  try {
    const findings = [await measureIdle(setup), await measureBurst(setup)];
    const rates: Figure[] = [];
    for (const count of ['one worker', 'two workers']) {
      if (count === 'two workers') workers.push(await startWorker());
      rates.push(await measureRate(setup, `${count}, one restaurant`, [demo]));
      rates.push(await measureRate(setup, `${count}, ${generated.length} restaurants`, generated));
    }
    return [...findings, { title: 'Writes sent at once', figures: rates }];
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
        const setup = { gateway, client, demo, generated, writes: size.writes };
        return await measure(setup, lavagna.databaseUrl);
      } finally {
        client.close();
        await lavagna.stop();
      }
    }),
};
