import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../load/http-call.ts';
import { capture } from '../measure/capture.ts';
import { startBare } from '../peers/peer.ts';
import type { Member } from '../processes/service-process.ts';
import { mainThreadTimes } from '../processes/usage.ts';
import { describeLatencies } from './quantiles.ts';
import type { Restaurant, Stage } from './stage.ts';

const WRITES = 500;
const KILLS = 50;
/** One after the other, each after a pause. */
const FIRST_WRITES = 100;
const IDLE_WRITES = 300;

function createDish(stage: Stage, { slug, headers, sectionId }: Restaurant, name: string) {
  const body = { category_id: sectionId, name: { it: name }, price: 1 };
  return stage.client.call(slug, { method: 'POST', path: '/admin/items', headers, body });
}

function changePrice(stage: Stage, { slug, headers, dishId }: Restaurant, price: number) {
  const path = `/admin/items/${dishId}`;
  return stage.client.call(slug, { method: 'PUT', path, headers, body: { price } });
}

function expectStatus(status: number, wanted: number, text: string): void {
  if (status !== wanted) throw new Error(`expected ${wanted}, got ${status}: ${text}`);
}

/** Write to answer, with nothing else going on; code that has run a hundred times runs faster. */
async function idle(stage: Stage): Promise<string[]> {
  const worker = await stage.service.startWorker();
  const took: number[] = [];
  for (let count = 0; count < FIRST_WRITES + IDLE_WRITES; count += 1) {
    const reply = await changePrice(stage, stage.large, 5 + (count % 5));
    expectStatus(reply.status, 200, reply.text);
    took.push(reply.took);
    await sleep(25);
  }
  await worker.stop();
  return [
    'PUT to 200, idle, 109 dishes in five languages:',
    `  the first of fresh processes: ${describeLatencies(took.slice(0, FIRST_WRITES))}`,
    `  those after them: ${describeLatencies(took.slice(FIRST_WRITES))}`,
  ];
}

/** Displays that poll the menus of all restaurants. */
interface Displays {
  /** What was measured since it was last asked, in ms. */
  take(): Promise<number[]>;
  stop(): Promise<void>;
}

function startDisplays({ many }: Stage, port: number): Displays {
  const file = new URL('./displays.ts', import.meta.url);
  const slugs = many.map(({ slug }) => slug).join(',');
  const child = fork(file, [String(port), slugs], { execArgv: ['--import', 'tsx'] });
  return {
    take: async () => {
      child.send('take');
      const [took] = await once(child, 'message');
      return took as number[];
    },
    stop: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/**
 * A server that has nothing else to do than to answer displays of its own with a menu: what happens
 * to these while the gateway has work is what the machine does to all that run on it.
 */
async function startIdlePeer(stage: Stage): Promise<Displays> {
  const [restaurant] = stage.many;
  const host = `${restaurant?.slug}.localhost`;
  const menu = await capture(stage.gateway.port, '/api/v1/menu', {
    Host: host,
    'Accept-Encoding': 'br',
  });
  const bare = await startBare(menu, { isPinned: false });
  const displays = startDisplays(stage, bare.port);
  return {
    take: displays.take,
    stop: async () => {
      await displays.stop();
      await bare.stop();
    },
  };
}

/** The write's own answer, fetched from its job when it was 202. */
async function finish(stage: Stage, restaurant: Restaurant, reply: Reply): Promise<Reply> {
  const { slug, headers } = restaurant;
  const path = String(reply.headers.location).replace('/api/v1', '');
  let last = reply;
  while (last.status === 202) {
    await sleep(20);
    last = await stage.client.call(slug, { path, headers });
  }
  return last;
}

/** 500 writes at once over all restaurants, while displays poll; each is read back at once. */
async function load(stage: Stage): Promise<string[]> {
  const worker = await stage.service.startWorker();
  const displays = startDisplays(stage, stage.gateway.port);
  const peer = await startIdlePeer(stage);
  const takeAll = () => Promise.all([displays.take(), peer.take()]);
  await sleep(2_000);
  await takeAll();
  await sleep(5_000);
  const [calm, peerCalm] = await takeAll();
  let late = 0;
  const before = mainThreadTimes(stage.gateway.pid);
  const started = performance.now();
  const took = await Promise.all(
    Array.from({ length: WRITES }, async (_, count) => {
      const restaurant = stage.many[count % stage.many.length] as Restaurant;
      const first = await createDish(stage, restaurant, `Carico ${count}`);
      if (first.status === 202) late += 1;
      const reply = await finish(stage, restaurant, first);
      expectStatus(reply.status, 201, reply.text);
      const { id } = JSON.parse(reply.text).data;
      const read = await stage.client.call(restaurant.slug, { path: `/items/${id}` });
      expectStatus(read.status, 200, `dish ${id} of ${restaurant.slug}`);
      return first.took;
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  const after = mainThreadTimes(stage.gateway.pid);
  const [busy, peerBusy] = await takeAll();
  await displays.stop();
  await peer.stop();
  await worker.stop();
  return [
    `${WRITES} POSTs at once over ${stage.many.length} restaurants, each 201 read back at once:`,
    `  POST to answer: ${describeLatencies(took)}, all done within ${seconds.toFixed(1)} s,`,
    `  ${late} of the answers 202 at first`,
    `  displays before: ${describeLatencies(calm)}`,
    `  displays meanwhile: ${describeLatencies(busy)}`,
    `  displays of a bare server that has nothing else to do, before: ${describeLatencies(peerCalm)}`,
    `  and meanwhile: ${describeLatencies(peerBusy)}`,
    `  the gateway’s main thread ran ${(after.ran - before.ran).toFixed(0)} ms and waited ` +
      `${(after.waited - before.waited).toFixed(0)} ms for a core`,
  ];
}

/** Sequences of writes, one in each restaurant at a time: their order is that of their ids. */
async function order(stage: Stage): Promise<string[]> {
  const worker = await stage.service.startWorker();
  const took: number[] = [];
  await Promise.all(
    stage.many.map(async (restaurant) => {
      let last = 0;
      for (let count = 0; count < WRITES / stage.many.length; count += 1) {
        const reply = await createDish(stage, restaurant, `Fila ${count}`);
        expectStatus(reply.status, 201, reply.text);
        took.push(reply.took);
        const { id } = JSON.parse(reply.text).data;
        if (id <= last) throw new Error(`${restaurant.slug}: ${id} after ${last}`);
        last = id;
      }
    }),
  );
  await worker.stop();
  return [
    `${stage.many.length} restaurants writing one after the other: ${describeLatencies(took)}`,
  ];
}

/** How many writes a second one and two workers do, for one restaurant and for all. */
async function throughput(stage: Stage): Promise<string[]> {
  const lines: string[] = [];
  const workers: Member[] = [];
  for (const count of [1, 2]) {
    workers.push(await stage.service.startWorker());
    for (const [what, restaurants] of [
      ['one restaurant', [stage.large]],
      [`${stage.many.length} restaurants`, stage.many],
    ] as const) {
      const started = performance.now();
      const each = Math.min(150, WRITES / restaurants.length);
      const jobs = restaurants.flatMap((restaurant) =>
        Array.from({ length: each }, (_, price) => changePrice(stage, restaurant, price)),
      );
      for (const reply of await Promise.all(jobs)) expectStatus(reply.status, 200, reply.text);
      const rate = jobs.length / ((performance.now() - started) / 1_000);
      lines.push(`${count} worker(s), ${what}: ${rate.toFixed(0)} writes/s`);
    }
  }
  for (const worker of workers) await worker.stop();
  return lines;
}

/** Sends a write until it is known what became of it, and returns the dish's id. */
async function insist(stage: Stage, restaurant: Restaurant, name: string): Promise<number> {
  const keyed = { ...restaurant, headers: { ...restaurant.headers, 'Idempotency-Key': name } };
  for (;;) {
    const reply = await createDish(stage, keyed, name).catch(() => null);
    if (reply?.status === 201) return JSON.parse(reply.text).data.id;
    if (reply && ![202, 503].includes(reply.status)) expectStatus(reply.status, 201, reply.text);
    await sleep(20);
  }
}

/** All dishes of a restaurant whose name begins with `label`, as the admin API lists them. */
async function countDishes(stage: Stage, restaurant: Restaurant, label: string) {
  const names: string[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const path = `/admin/items?per_page=100&page=${page}`;
    const { text } = await stage.client.call(restaurant.slug, {
      path,
      headers: restaurant.headers,
    });
    const { data, meta } = JSON.parse(text);
    last = meta.last_page;
    for (const { name } of data) if (name.startsWith(label)) names.push(name);
  }
  return names;
}

/** Kills processes with SIGKILL while writes go on, and counts what became of these. */
async function killAll(
  stage: Stage,
  label: string,
  startVictim: () => Promise<Member>,
): Promise<string> {
  let killing = true;
  let written = 0;
  let longest = 0;
  const writing = stage.many.map(async (restaurant) => {
    let count = 0;
    while (killing) {
      const started = performance.now();
      await insist(stage, restaurant, `${label} ${restaurant.slug} ${count}`);
      longest = Math.max(longest, performance.now() - started);
      written += 1;
      count += 1;
    }
    return count;
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const victim = await startVictim();
    const before = written;
    while (written < before + 5) await sleep(1);
    await victim.kill();
  }
  killing = false;
  const counts = await Promise.all(writing);
  for (const [index, restaurant] of stage.many.entries()) {
    const names = await countDishes(stage, restaurant, label);
    if (new Set(names).size !== names.length) throw new Error(`${restaurant.slug}: done twice`);
    if (names.length !== counts[index]) {
      throw new Error(`${restaurant.slug}: ${counts[index]} promised, ${names.length} there`);
    }
  }
  const wait = (longest / 1_000).toFixed(1);
  return `${written} writes promised, all there once; longest wait ${wait} s`;
}

/** Workers are killed; one that is spared goes on. */
async function kills(stage: Stage): Promise<string[]> {
  const spared = await stage.service.startWorker();
  const outcome = await killAll(stage, 'Ucciso', stage.service.startWorker);
  await spared.stop();
  return [`${KILLS} workers killed: ${outcome}`];
}

/** Gateways are killed that share a port with one that is spared. */
async function gatewayKills(stage: Stage): Promise<string[]> {
  const worker = await stage.service.startWorker();
  const outcome = await killAll(stage, 'Caduto', () =>
    stage.service.startGateway(stage.gateway.port),
  );
  await worker.stop();
  return [`${KILLS} gateways killed: ${outcome}`];
}

export const scenarios = { idle, order, load, throughput, kills, 'gateway-kills': gatewayKills };
