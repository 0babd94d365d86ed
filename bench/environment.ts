import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Loader, startLoader } from './load/generator.ts';
import { type Contestant, compare, type Row } from './measure/comparison.ts';
import type { Options } from './options.ts';
import { runCli } from './processes/cli.ts';
import { type Lavagna, startLavagna } from './processes/lavagna.ts';

/** How much is enough, in full and in quick runs. */
export interface Size {
  /** Counted rounds of a comparison, and the seconds of load on each contestant in a round. */
  rounds: number;
  seconds: number;
  /** Seconds of load on each contestant before the first round. */
  warmUp: number;
  /** Whether what says little new is measured, too: further forms and peers, a second start. */
  isThorough: boolean;
  tenants: number;
  addresses: number;
  displays: number;
  /** Seconds between the polls of a display. */
  pollSeconds: number;
  /** How often each display asks. */
  polls: number;
  /** Requests of the load after which memory must be what it was before. */
  mixedRequests: number;
}

const full: Size = {
  rounds: 5,
  seconds: 3,
  warmUp: 3,
  isThorough: true,
  tenants: 10_000,
  addresses: 50_000,
  displays: 5_000,
  pollSeconds: 10,
  polls: 4,
  mixedRequests: 900_000,
};
const quick: Size = {
  rounds: 1,
  seconds: 1,
  warmUp: 0.3,
  isThorough: false,
  tenants: 200,
  addresses: 50_000,
  displays: 1_000,
  pollSeconds: 5,
  polls: 2,
  mixedRequests: 6_000,
};

/** What every scenario works with. */
export interface Stage {
  size: Size;
  lavagna: Lavagna;
  dataDir: string;
  /** Every tenant's slug; the demo's `trattoria` and `pizzeria` first. */
  slugs: string[];
  loader: Loader;
  /** The Host header of a tenant. */
  host(slug: string): string;
  compare(contestants: readonly Contestant[]): Promise<Row[]>;
  progress(line: string): void;
}

/** Something that is running; `stop` resolves when nothing of it is left. */
export interface RunningStage {
  stage: Stage;
  stop(): Promise<void>;
}

async function chooseDataDir(given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-bench-'));
  // The embedded server may run as another account, which has to enter the folder.
  await chmod(folder, 0o755);
  return folder;
}

/** Plants the tenants, starts Lavagna and the load generator. */
export async function startStage(
  options: Options,
  progress: (line: string) => void,
): Promise<RunningStage> {
  const size = options.quick ? quick : full;
  const dataDir = await chooseDataDir(options.data);
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of stops.reverse()) await end();
  };
  if (options.data === undefined) stops.push(() => rm(dataDir, { recursive: true, force: true }));
  try {
    progress(`planting ${size.tenants} restaurants`);
    await runCli({ DATA_DIR: dataDir }, 'demo', '--tenants', String(size.tenants));
    progress('starting Lavagna');
    const lavagna = await startLavagna(dataDir);
    stops.push(lavagna.stop);
    // Only now, when the embedded Postgres runs and need not be started for it.
    const tenants = await runCli<{ slug: string }[]>({ DATA_DIR: dataDir }, 'tenant', 'list');
    const loader = await startLoader();
    stops.push(loader.stop);
    const stage: Stage = {
      size,
      lavagna,
      dataDir,
      slugs: tenants.map(({ slug }) => slug),
      loader,
      host: (slug) => `${slug}.localhost`,
      compare: (contestants) => compare(contestants, { ...size, loader, progress }),
      progress,
    };
    return { stage, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
