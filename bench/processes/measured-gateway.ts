import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { repository } from './child.ts';
import { type Gateway, startGateway } from './lavagna.ts';

const answerBoundMs = 10_000;
const pollMs = 20;

type Options = Parameters<typeof startGateway>[2];

/** Starts a gateway with a module that writes what it measures to a file on SIGUSR2. */
async function startAsked<T>(
  name: string,
  databaseUrl: string,
  folder: string,
  module: string,
  options: Options = {},
): Promise<{ gateway: Gateway; ask(): Promise<T> }> {
  const file = join(folder, `${name.replaceAll(' ', '-')}-measured.json`);
  const hook = pathToFileURL(join(repository, 'bench/processes', module));
  const gateway = await startGateway(name, databaseUrl, {
    ...options,
    env: {
      ...options.env,
      NODE_OPTIONS: `--import=tsx --import=${hook}`,
      BENCH_MEASURED_FILE: file,
    },
  });
  const ask = async () => {
    await rm(file, { force: true });
    process.kill(gateway.pid, 'SIGUSR2');
    const bound = Date.now() + answerBoundMs;
    while (Date.now() < bound) {
      const text = await readFile(file, 'utf8').catch(() => '');
      if (text !== '') return JSON.parse(text) as T;
      await sleep(pollMs);
    }
    throw new Error('the gateway did not tell what it has measured');
  };
  return { gateway, ask };
}

/** A gateway that can be asked for its memory. */
export interface MeasuredGateway extends Gateway {
  /** Memory after a forced collection. */
  collect(): Promise<NodeJS.MemoryUsage>;
}

/** @param folder for a file through which the gateway tells its memory */
export async function startMeasuredGateway(
  name: string,
  databaseUrl: string,
  folder: string,
  options: Options = {},
): Promise<MeasuredGateway> {
  const module = 'collect-garbage-on-signal.ts';
  const { gateway, ask } = await startAsked<NodeJS.MemoryUsage>(
    name,
    databaseUrl,
    folder,
    module,
    options,
  );
  return { ...gateway, collect: ask };
}

/** A gateway that can be asked how long it has kept its event loop. */
export interface TimedGateway extends Gateway {
  /** The longest time in one go since the last question, in ms. */
  longest(): Promise<number>;
}

/** @param folder for a file through which the gateway tells its times */
export async function startTimedGateway(
  name: string,
  databaseUrl: string,
  folder: string,
): Promise<TimedGateway> {
  const started = startAsked<number>(name, databaseUrl, folder, 'time-loop-on-signal.ts');
  const { gateway, ask } = await started;
  return { ...gateway, longest: ask };
}
