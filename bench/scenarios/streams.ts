import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';
import { createClient } from '../load/client.ts';
import { type Percentiles, percentilesOf } from '../load/percentiles.ts';
import { openRestaurant, publishPrice, type Restaurant } from '../load/restaurant.ts';
import { type StreamFollowers, startStreamFollowers } from '../load/stream-followers.ts';
import { startMenuReaders, type TimedLoad } from '../load/timed-load.ts';
import { startGateway } from '../processes/lavagna.ts';
import { type MeasuredGateway, startMeasuredGateway } from '../processes/measured-gateway.ts';
import { group } from '../processes/running.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { cpuTime, kernelBytes } from '../processes/usage.ts';
import { atMost, type Figure, type Finding, type Goal } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** Hot reads of another restaurant's menu, as a steady load. */
const READS_PER_SECOND = 500;
const IDLE_MS = 10_000;
/** Between two changes, so that the readers are calm again. */
const PAUSE_MS = 1_000;
/** The most that the streams may add to the time of a read, in ms. */
const MAX_DELAY_MS = 5;
const MAX_TOLD_MS = 1_000;
const BYTES_PER_KB = 1_000;

const now = () => performance.timeOrigin + performance.now();
const thousands = (count: number) => count.toLocaleString('en-GB');

/** The restaurant with the streams, and what changes it. */
interface StreamSetup {
  environment: Environment;
  restaurant: Restaurant;
  folder: string;
  /** Publishes a version through this gateway. */
  publish(port: number): ReturnType<typeof publishPrice>;
}

function percentileFigures(what: string, unit: string, { p50, p99, max }: Percentiles): Figure[] {
  return Object.entries({ p50, p99, slowest: max }).map(([name, median]) => ({
    name: `${what}, ${name}`,
    unit,
    median,
  }));
}

async function openAll(
  { environment, restaurant }: StreamSetup,
  gateways: readonly MeasuredGateway[],
  followers: readonly StreamFollowers[],
): Promise<void> {
  const { size, host } = environment;
  environment.progress(`opening ${thousands(size.streams)} streams on each of ${gateways.length}`);
  await Promise.all(
    followers.map((each, index) =>
      each.open(size.streams, gateways[index]?.port ?? 0, host(restaurant.slug)),
    ),
  );
}

interface Told {
  /** From the writer's answer until each stream had the change, in ms. */
  times: number[];
  /** Of reads while a change was told, in ms. */
  reads: number[];
  /** Of the gateways for one event, in µs. */
  cpu: number;
}

/** Publishes versions one after the other, and waits for each until all streams were told. */
async function tellChanges(
  { environment, publish }: StreamSetup,
  gateways: readonly MeasuredGateway[],
  followers: readonly StreamFollowers[],
  readers: TimedLoad,
): Promise<Told> {
  const { size, progress } = environment;
  const pids = gateways.flatMap((gateway) => gateway.pids);
  const told: Told = { times: [], reads: [], cpu: 0 };
  for (let change = 1; change <= size.streamChanges; change += 1) {
    progress(`change ${change} of ${size.streamChanges}`);
    await readers.take();
    const before = cpuTime(pids);
    const { version, answeredAt } = await publish(gateways[0]?.port ?? 0);
    const moments = await Promise.all(followers.map((each) => each.told(version)));
    told.cpu += cpuTime(pids) - before;
    told.reads.push(...(await readers.take()));
    for (const all of moments) for (const at of all) told.times.push(at - answeredAt);
    await sleep(PAUSE_MS);
  }
  told.cpu /= size.streamChanges * size.streams * gateways.length;
  return told;
}

/** Streams on some gateways: their memory, and how they are told of changes. */
async function measureChanges(setup: StreamSetup, count: number): Promise<Finding> {
  const { environment, folder } = setup;
  const { lavagna, size, slugs } = environment;
  await using gateways = group<MeasuredGateway>();
  await using followers = group<StreamFollowers>();
  for (let index = 0; index < count; index += 1) {
    const options = { isPinned: count === 1, env: { STREAMS_MAX: String(size.streams) } };
    const name = `gateway ${index + 1} of ${count}`;
    gateways.push(await startMeasuredGateway(name, lavagna.databaseUrl, folder, options));
    followers.push(await startStreamFollowers());
  }
  const first = gateways[0] as MeasuredGateway;
  await setup.publish(first.port);
  await using readers = await startMenuReaders(first.port, [slugs[1] ?? ''], READS_PER_SECOND);
  await sleep(PAUSE_MS);
  await readers.take();
  await sleep(IDLE_MS);
  const idle = percentilesOf(await readers.take());
  const before = { own: await first.collect(), kernel: kernelBytes() };
  await openAll(setup, gateways, followers);
  const after = { own: await first.collect(), kernel: kernelBytes() };
  const told = await tellChanges(setup, gateways, followers, readers);
  const all = size.streams * count;
  const perStream = (name: string, bytes: number, streams: number): Figure => ({
    name: `${name} a stream`,
    unit: 'KB',
    median: bytes / streams / BYTES_PER_KB,
  });
  const times = percentilesOf(told.times);
  const busy = percentilesOf(told.reads);
  const title = `${thousands(all)} streams on ${count === 1 ? 'one gateway' : `${count} gateways`}`;
  const goals: Goal[] = [
    atMost(`${title}: ms until all have a change, p99`, times.p99, MAX_TOLD_MS),
    atMost(`${title}: ms that a hot read waits longer, p99`, busy.p99 - idle.p99, MAX_DELAY_MS),
  ];
  return {
    title,
    note: 'Gateways, followers and readers share the cores of one machine.',
    figures: [
      perStream('resident memory', after.own.rss - before.own.rss, size.streams),
      perStream('heap', after.own.heapUsed - before.own.heapUsed, size.streams),
      perStream('memory of the kernel, both ends,', after.kernel - before.kernel, all),
      {
        name: 'CPU of the gateways for one event, the change and reads included',
        unit: 'µs',
        median: told.cpu,
      },
      ...percentileFigures('from the answer to the event', 'ms', times),
      ...percentileFigures('hot reads, idle', 'ms', idle),
      ...percentileFigures('hot reads while all are told', 'ms', busy),
    ],
    goals,
  };
}

/** A restart of the gateway with many streams, which all come back. */
async function measureReturn(setup: StreamSetup): Promise<Finding> {
  const { environment, restaurant } = setup;
  const { lavagna, size, slugs, host, progress } = environment;
  await using followers = await startStreamFollowers();
  await using gateway = await startGateway('gateway', lavagna.databaseUrl);
  const { port } = gateway;
  await followers.open(size.returningStreams, port, host(restaurant.slug));
  progress('restarting the gateway');
  const returned = followers.reopened();
  const signalledAt = now();
  await gateway.stop();
  const stoppedAt = now();
  await using _next = await startGateway('gateway', lavagna.databaseUrl, { port });
  const readyAt = now();
  await using readers = await startMenuReaders(port, [slugs[1] ?? ''], READS_PER_SECOND);
  const moments = await returned;
  const busy = percentilesOf(await readers.take());
  await readers.take();
  await sleep(IDLE_MS);
  const idle = percentilesOf(await readers.take());
  const back = percentilesOf(Array.from(moments, (at) => (at - signalledAt) / 1_000));
  const title = `${thousands(size.returningStreams)} streams return after a restart`;
  return {
    title,
    note: 'The gateway stops on SIGTERM and is started again at once, on the same port.',
    figures: [
      {
        name: 'until the gateway had stopped',
        unit: 's',
        median: (stoppedAt - signalledAt) / 1_000,
      },
      {
        name: 'until the next one was ready',
        unit: 's',
        median: (readyAt - signalledAt) / 1_000,
      },
      ...percentileFigures('until a stream was back', 's', back),
      ...percentileFigures('hot reads until all were back', 'ms', busy),
      ...percentileFigures('hot reads afterwards', 'ms', idle),
    ],
  };
}

/**
 * As many streams as the limit of open files allows, on one gateway and on several: their memory, how
 * soon all are told of a change, what a hot read waits meanwhile, and their return after a restart.
 * All follow one restaurant, from several loopback addresses.
 */
export const streams: Scenario = {
  name: 'streams',
  run: (environment) =>
    withFolder('streams', async (folder) => {
      const { lavagna, slugs, size } = environment;
      using client = createClient(lavagna.gateway.port);
      const restaurant = await openRestaurant(client, slugs[2] ?? '');
      let price = 0;
      const publish = async (port: number) => {
        using writer = createClient(port);
        price += 1;
        return await publishPrice(writer, restaurant, price);
      };
      const setup: StreamSetup = { environment, restaurant, folder, publish };
      return [
        await measureChanges(setup, 1),
        await measureReturn(setup),
        await measureChanges(setup, size.streamGateways),
      ];
    }),
};
