import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../load/client.ts';
import { openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { runCli } from '../processes/cli.ts';
import { freePort } from '../processes/free-port.ts';
import { startLavagna } from '../processes/lavagna.ts';
import { postgresPids } from '../processes/postgres.ts';
import { group } from '../processes/running.ts';
import { type ServiceProcess, startServiceProcess } from '../processes/service-process.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { atMost, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const PAUSE_MS = 20;
/** Writes that are answered between two kills. */
const WRITES_BETWEEN = 5;
/** Of a document, so that kills also meet writes of whole menus. */
const DISHES_PER_IMPORT = 20;
const IMPORT_EVERY = 10;

interface Setup {
  client: Client;
  /** All connections of gateways come in on this port. */
  port: number;
  databaseUrl: string;
  /** The process whose descendants are all others, Postgres among them. */
  lavagnaPid: number;
  restaurants: Restaurant[];
  kills: number;
}

/** Sends a write under a key until it is known what became of it. */
async function insist(
  { client }: Setup,
  { slug, headers }: Restaurant,
  key: string,
  call: { method: string; path: string; body: object },
): Promise<void> {
  const keyed = { ...call, headers: { ...headers, 'Idempotency-Key': key } };
  for (;;) {
    const reply = await client.call(slug, keyed).catch(() => null);
    if (reply && [200, 201].includes(reply.status)) return;
    if (reply && ![202, 503].includes(reply.status)) {
      throw new Error(`${key}: ${reply.status}: ${reply.text.slice(0, 500)}`);
    }
    await sleep(PAUSE_MS);
  }
}

function dishesOf(name: string, count: number): string[] {
  return count === 1 ? [name] : Array.from({ length: count }, (_, at) => `${name}.${at}`);
}

/** Creates one dish, or some with a document; returns their names. */
async function write(setup: Setup, restaurant: Restaurant, name: string, count: number) {
  const { sectionId } = restaurant;
  const names = dishesOf(name, count);
  const dish = (text: string) => ({ category_id: sectionId, name: { it: text }, price: 1 });
  if (count === 1) {
    const call = { method: 'POST', path: '/admin/items', body: dish(name) };
    await insist(setup, restaurant, name, call);
  } else {
    const body = { format: 'lavagna-menu/1', items: names.map(dish) };
    await insist(setup, restaurant, name, { method: 'PUT', path: '/admin/import', body });
  }
  return names;
}

/** How often each dish is there whose name begins with `label`. */
async function countDishes({ client }: Setup, { slug, headers }: Restaurant, label: string) {
  const counts = new Map<string, number>();
  for (let page = 1, last = 1; page <= last; page += 1) {
    const path = `/admin/items?per_page=100&page=${page}`;
    const { data, meta } = JSON.parse((await client.expect(200, slug, { path, headers })).text);
    last = meta.last_page;
    for (const { name } of data) {
      if (name.startsWith(label)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

/** Kills while writes go on in all restaurants, and counts what became of these. */
async function measureKills(
  setup: Setup,
  label: string,
  what: string,
  kill: () => Promise<unknown>,
): Promise<Finding> {
  let killing = true;
  let answered = 0;
  let longest = 0;
  const writing = setup.restaurants.map(async (restaurant) => {
    const names: string[] = [];
    for (let count = 1; killing; count += 1) {
      const startedAt = performance.now();
      const size = count % IMPORT_EVERY === 0 ? DISHES_PER_IMPORT : 1;
      names.push(...(await write(setup, restaurant, `${label} ${count}`, size)));
      longest = Math.max(longest, performance.now() - startedAt);
      answered += 1;
    }
    return names;
  });
  for (let count = 0; count < setup.kills; count += 1) {
    const before = answered;
    while (answered < before + WRITES_BETWEEN) await sleep(1);
    await sleep(Math.random() * PAUSE_MS);
    await kill();
  }
  killing = false;
  const promised = await Promise.all(writing);
  let [lost, doubled] = [0, 0];
  for (const [index, restaurant] of setup.restaurants.entries()) {
    const counts = await countDishes(setup, restaurant, `${label} `);
    const names = new Set(promised[index]);
    lost += [...names].filter((name) => !counts.has(name)).length;
    doubled += [...counts.values()].filter((times) => times > 1).length;
    doubled += [...counts.keys()].filter((name) => !names.has(name)).length;
  }
  return {
    title: `${setup.kills} × SIGKILL of ${what} under writes in ${setup.restaurants.length} restaurants`,
    figures: [
      { name: 'kills', unit: '', median: setup.kills },
      { name: 'answered writes', unit: '', median: answered },
      { name: 'longest write', unit: 's', median: longest / 1_000 },
    ],
    goals: [
      atMost(`writes lost, ${what} killed`, lost, 0),
      atMost(`writes doubled, ${what} killed`, doubled, 0),
    ],
  };
}

/** Kills one of two processes in turn, and starts another in its place. */
function replace(processes: ServiceProcess[], start: () => Promise<ServiceProcess>) {
  return async () => {
    const victim = processes.shift();
    await victim?.kill();
    processes.push(await start());
  };
}

/** Kills the process of one of Postgres' connections: Postgres then ends all and recovers. */
async function killConnection(lavagnaPid: number): Promise<void> {
  const backends = postgresPids(
    lavagnaPid,
    /^postgres: (?!.*(launcher|writer|checkpointer|logger))/,
  );
  const victim = backends[Math.floor(Math.random() * backends.length)];
  if (victim !== undefined) process.kill(victim, 'SIGKILL');
}

async function withSetup(
  { writtenRestaurants, kills }: { writtenRestaurants: number; kills: number },
  measure: (setup: Setup) => Promise<Finding[]>,
): Promise<Finding[]> {
  return withFolder('kills', async (dataDir) => {
    const env = { DATA_DIR: dataDir };
    await runCli(env, 'demo', '--tenants', String(writtenRestaurants));
    await using lavagna = await startLavagna(dataDir, { FORMATION: 'gateway=1,worker=0' });
    const { databaseUrl, gateway } = lavagna;
    using opening = createClient(gateway.port);
    const port = await freePort();
    using client = createClient(port);
    const tenants = await runCli<{ slug: string }[]>(env, 'tenant', 'list');
    const restaurants: Restaurant[] = [];
    for (const { slug } of tenants) restaurants.push(await openRestaurant(opening, slug));
    return await measure({
      ...{ client, port, databaseUrl, restaurants, kills },
      lavagnaPid: lavagna.pid,
    });
  });
}

/** Workers and connections of Postgres are killed; what was answered is there once. */
export const kills: Scenario = {
  name: 'kills',
  run: ({ size, progress }) =>
    withSetup(size, async (setup) => {
      const { port, databaseUrl, lavagnaPid } = setup;
      const startWorker = () => startServiceProcess('workers/main.ts', databaseUrl);
      await using _gateway = await startServiceProcess('gateway/main.ts', databaseUrl, { port });
      await using workers = group(await startWorker());
      workers.push(await startWorker());
      progress('killing workers');
      const ofWorkers = await measureKills(
        ...([setup, 'Operaio', 'a worker', replace(workers, startWorker)] as const),
      );
      progress('killing connections of Postgres');
      const ofPostgres = await measureKills(
        ...([setup, 'Cantina', 'a Postgres connection'] as const),
        () => killConnection(lavagnaPid),
      );
      return [ofWorkers, ofPostgres];
    }),
};

/** Gateways that share a port are killed. */
export const gatewayKills: Scenario = {
  name: 'gateway-kills',
  run: ({ size, progress }) =>
    withSetup(size, async (setup) => {
      const { port, databaseUrl } = setup;
      const startGateway = () => startServiceProcess('gateway/main.ts', databaseUrl, { port });
      await using _worker = await startServiceProcess('workers/main.ts', databaseUrl);
      await using gateways = group(await startGateway());
      gateways.push(await startGateway());
      progress('killing gateways');
      const kill = replace(gateways, startGateway);
      return [await measureKills(setup, 'Portone', 'a gateway', kill)];
    }),
};
