import { type LoadGenerator, startLoadGenerator } from './load/load-generator.ts';
import { type Candidate, compare } from './measure/comparison.ts';
import { runCli } from './processes/cli.ts';
import { pinRunning } from './processes/cores.ts';
import { type Lavagna, startLavagna } from './processes/lavagna.ts';
import { withFolder } from './processes/temporary-folder.ts';
import type { Row } from './result.ts';

/** The amounts of full and of quick runs. */
interface Size {
  /** Counted rounds of a comparison, and the seconds of load on each server in a round. */
  rounds: number;
  seconds: number;
  /** Seconds of load on each server before the first round. */
  warmUp: number;
  /** Also measures what a quick run leaves out: further encodings and peers, a second start. */
  isThorough: boolean;
  tenants: number;
  /** Restaurants of the two installations that `growth` compares. */
  grownTenants: readonly [few: number, many: number];
  addresses: number;
  displays: number;
  /** Seconds between the polls of a display. */
  pollSeconds: number;
  /** Polls of each display. */
  polls: number;
  /** Guests of one Wi-Fi, the seconds for which they are there, and the changes meanwhile. */
  guests: number;
  guestSeconds: number;
  guestChanges: number;
  /** Streams on one gateway, and the gateways that hold so many each. */
  streams: number;
  streamGateways: number;
  /** Changes that all streams are told of, one after the other. */
  streamChanges: number;
  /** Streams that return after a restart. */
  returningStreams: number;
  /** Displays that poll, and then follow for so many seconds. */
  followers: number;
  followSeconds: number;
  /** Photos that owners upload. */
  photos: number;
  /** Requests of the load that must not grow the memory. */
  mixedRequests: number;
  idleConnections: number;
  /** Writes to one restaurant, one after the other; a burst has as many over all restaurants. */
  writes: number;
  /** Generated restaurants that are written to. */
  writtenRestaurants: number;
  /** Processes that are killed under writes, of each kind. */
  kills: number;
  /** Seconds of events sent to the gateway, at each batch size. */
  eventSeconds: number;
  /** Events of the year over which reports are read. */
  reportEvents: number;
}

export const full: Size = {
  rounds: 5,
  seconds: 2,
  warmUp: 2,
  isThorough: true,
  tenants: 10_000,
  grownTenants: [1_000, 100_000],
  addresses: 50_000,
  displays: 5_000,
  pollSeconds: 10,
  polls: 4,
  guests: 300,
  guestSeconds: 120,
  guestChanges: 20,
  streams: 19_000,
  streamGateways: 5,
  streamChanges: 10,
  returningStreams: 10_000,
  followers: 10_000,
  followSeconds: 60,
  photos: 60,
  mixedRequests: 900_000,
  idleConnections: 10_000,
  writes: 500,
  writtenRestaurants: 20,
  kills: 20,
  eventSeconds: 8,
  reportEvents: 10_000_000,
};
export const quick: Size = {
  rounds: 1,
  seconds: 1,
  warmUp: 0.3,
  isThorough: false,
  tenants: 200,
  grownTenants: [40, 400],
  addresses: 50_000,
  displays: 1_000,
  pollSeconds: 5,
  polls: 2,
  guests: 60,
  guestSeconds: 20,
  guestChanges: 3,
  streams: 1_000,
  streamGateways: 2,
  streamChanges: 3,
  returningStreams: 500,
  followers: 500,
  followSeconds: 10,
  photos: 3,
  mixedRequests: 6_000,
  idleConnections: 1_000,
  writes: 60,
  writtenRestaurants: 4,
  kills: 5,
  eventSeconds: 1,
  reportEvents: 20_000,
};

export interface Environment {
  size: Size;
  lavagna: Lavagna;
  dataDir: string;
  /** Every tenant's slug; the demo's `trattoria` and `pizzeria` first. */
  slugs: string[];
  load: LoadGenerator;
  /** The Host header of a tenant. */
  host(slug: string): string;
  compare(candidates: readonly Candidate[]): Promise<Row[]>;
  progress(line: string): void;
}

/**
 * Plants the tenants, and runs `work` beside Lavagna and a load generator; then ends them.
 *
 * @param data the folder with the data, which is kept; by default a new one, which is removed
 */
export async function withEnvironment(
  size: Size,
  data: string | undefined,
  progress: (line: string) => void,
  work: (environment: Environment) => Promise<void>,
): Promise<void> {
  if (data === undefined) {
    return await withFolder('bench', (folder) => withEnvironment(size, folder, progress, work));
  }
  progress(`planting ${size.tenants} restaurants`);
  const env = { DATA_DIR: data };
  await runCli(env, 'demo', '--tenants', String(size.tenants));
  progress('starting Lavagna');
  await using lavagna = await startLavagna(data);
  pinRunning('server', lavagna.gateway.pid);
  // The running embedded Postgres answers the command; without it the command would start another.
  const planted = await runCli<{ slug: string }[]>(env, 'tenant', 'list');
  await using load = await startLoadGenerator();
  await work({
    size,
    lavagna,
    dataDir: data,
    slugs: planted.map(({ slug }) => slug),
    load,
    host: (slug) => `${slug}.localhost`,
    compare: (candidates) => compare(candidates, { ...size, load, progress }),
    progress,
  });
}
