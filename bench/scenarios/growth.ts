import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';
import { type Client, createClient } from '../load/client.ts';
import { timedLoad } from '../load/job.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { changePrice, openRestaurant } from '../load/restaurant.ts';
import { medianOf } from '../measure/median.ts';
import { type Gateway, startGateway } from '../processes/lavagna.ts';
import { type Planted, startPlanted } from '../processes/planted.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { commandLine, cpuTime, processTree, residentMb, treeCpuTime } from '../processes/usage.ts';
import { atMost, costRatio, type Figure, type Finding, type Goal } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const STARTS = 3;
const COLD_READS = 300;
const WRITTEN_RESTAURANTS = 10;
const WRITES = 200;
/** Among them are some rounds of housekeeping and of the comparison of versions. */
const IDLE_SECONDS = 60;
/**
 * In a gateway's first minute, the first request of each client asks Postgres whether another gateway
 * has counted it. A worker, too, has more to do at its start.
 */
const FIRST_SECONDS = 65;
const MAX_RATIO = 1.2;

/** Runs `measure` for the two sides in turn, and gives the median of each. */
async function inTurn(
  sides: readonly [Planted, Planted],
  rounds: number,
  measure: (side: Planted, round: number) => Promise<number>,
): Promise<[number, number]> {
  const found: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const which of [0, 1] as const) found[which].push(await measure(sides[which], round));
  }
  return [medianOf(found[0]), medianOf(found[1])];
}

/** Seconds until a gateway is ready, and the MiB that it then has. */
async function start({ lavagna }: Planted): Promise<{ seconds: number; memory: number }> {
  const startedAt = performance.now();
  const gateway = await startGateway('gateway', lavagna.databaseUrl);
  const seconds = (performance.now() - startedAt) / 1_000;
  const memory = residentMb(gateway.pid);
  await gateway.stop();
  return { seconds, memory };
}

async function write(client: Client, { slugs }: Planted): Promise<number[]> {
  const times: number[] = [];
  const restaurants = [];
  for (const slug of slugs.slice(-WRITTEN_RESTAURANTS)) {
    restaurants.push(await openRestaurant(client, slug));
  }
  for (let count = 0; count < WRITES; count += 1) {
    const restaurant = restaurants[count % restaurants.length];
    if (restaurant) times.push(await changePrice(client, restaurant, 1 + count));
  }
  // The first ones run code that V8 has not optimised yet.
  return times.slice(WRITES / 5);
}

function postmasterOf(dataDir: string): number {
  const [pid] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  return Number(pid);
}

/** Milliseconds of CPU a second, without any request. */
async function idle({ dataDir, lavagna }: Planted): Promise<Record<string, number>> {
  const workers = processTree(lavagna.pid).filter((pid) =>
    commandLine(pid).includes('workers/main.ts'),
  );
  const read = () => ({
    gateway: cpuTime([lavagna.gateway.pid]),
    worker: cpuTime(workers),
    Postgres: treeCpuTime(postmasterOf(dataDir)),
  });
  const before = read();
  await sleep(IDLE_SECONDS * 1_000);
  const after = read();
  const rate = (name: keyof typeof before) => (after[name] - before[name]) / 1_000 / IDLE_SECONDS;
  return { gateway: rate('gateway'), worker: rate('worker'), Postgres: rate('Postgres') };
}

function pairOf(name: string, unit: string, [few, many]: readonly [number, number]): Figure[] {
  return [
    { name: `${name}, few`, unit, median: few },
    { name: `${name}, many`, unit, median: many },
  ];
}

async function hotRead(
  environment: Environment,
  gateways: readonly [Gateway, Gateway],
  slugs: readonly [string, string],
): Promise<Finding> {
  const candidates = (['few', 'many'] as const).map((name, index) => {
    const server = gateways[index] as Gateway;
    const headers = { Host: environment.host(slugs[index] as string), 'Accept-Encoding': 'br' };
    const job = timedLoad(
      server.port,
      [{ path: '/api/v1/menu', headers }],
      environment.size.seconds,
    );
    return { name, server, job };
  });
  const rows = await environment.compare(candidates);
  const [few, many] = rows;
  const finding: Finding = { title: 'A hot menu, with few and with many restaurants', rows };
  if (few && many)
    finding.goals = [atMost('hot read: many ÷ few', costRatio(many, few), MAX_RATIO)];
  return finding;
}

async function measure(environment: Environment, few: Planted, many: Planted): Promise<Finding[]> {
  const sides = [few, many] as const;
  const { progress } = environment;
  const figures: Figure[] = [];
  const goals: Goal[] = [];
  const compare = (name: string, unit: string, pair: readonly [number, number]) => {
    figures.push(...pairOf(name, unit, pair));
    goals.push(atMost(`${name}: many ÷ few`, pair[1] / pair[0], MAX_RATIO));
  };
  progress('starting gateways');
  const memory: [number[], number[]] = [[], []];
  compare(
    'gateway ready',
    's',
    await inTurn(sides, STARTS, async (side) => {
      const started = await start(side);
      memory[side === few ? 0 : 1].push(started.memory);
      return started.seconds;
    }),
  );
  compare('resident when ready', 'MiB', [medianOf(memory[0]), medianOf(memory[1])]);
  progress('the first minute');
  await sleep(FIRST_SECONDS * 1_000);
  progress('first reads and writes');
  using fewClient = createClient(few.lavagna.gateway.port);
  using manyClient = createClient(many.lavagna.gateway.port);
  const reads = Math.min(COLD_READS, few.slugs.length);
  const readCold = async (side: Planted, read: number) => {
    const { slugs } = side;
    const slug = slugs[Math.floor((read * slugs.length) / reads)] as string;
    const client = side === few ? fewClient : manyClient;
    return (await client.expect(200, slug, { path: '/menu' })).took;
  };
  compare('first read of a menu, p50', 'ms', await inTurn(sides, reads, readCold));
  const written = [await write(fewClient, few), await write(manyClient, many)];
  const writtenOf = written.map(percentilesOf);
  compare('PUT to 200, p50', 'ms', [writtenOf[0]?.p50 ?? 0, writtenOf[1]?.p50 ?? 0]);
  progress('idle');
  const [idleFew, idleMany] = await Promise.all([idle(few), idle(many)]);
  for (const name of Object.keys(idleFew)) {
    const pair = [idleFew[name] ?? 0, idleMany[name] ?? 0] as const;
    compare(`CPU of an idle ${name}`, 'ms/s', pair);
  }
  const hot = await hotRead(
    environment,
    [few.lavagna.gateway, many.lavagna.gateway],
    [few.slugs[0] as string, many.slugs[0] as string],
  );
  const counts = `${few.slugs.length} and ${many.slugs.length} restaurants`;
  return [{ title: `Growth: ${counts}`, figures, goals }, hot];
}

/** The cost of a hundred times as many restaurants. */
export const growth: Scenario = {
  name: 'growth',
  run: (environment) =>
    withFolder('growth-few', (fewDir) =>
      withFolder('growth-many', async (manyDir) => {
        const { size, progress } = environment;
        const [fewTenants, manyTenants] = size.grownTenants;
        await using few = await startPlanted(fewDir, fewTenants, progress);
        await using many = await startPlanted(manyDir, manyTenants, progress);
        const findings = await measure(environment, few, many);
        findings[0]?.figures?.push(...pairOf('planted in', 's', [few.plantedIn, many.plantedIn]));
        return findings;
      }),
    ),
};
