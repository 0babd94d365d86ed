import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { repository } from './child.ts';
import { type Gateway, startGateway } from './lavagna.ts';

const collectBoundMs = 10_000;
const pollMs = 20;

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
  options: Parameters<typeof startGateway>[2] = {},
): Promise<MeasuredGateway> {
  const file = join(folder, `${name.replaceAll(' ', '-')}-memory.json`);
  const hook = pathToFileURL(join(repository, 'bench/processes/collect-garbage-on-signal.ts'));
  const gateway = await startGateway(name, databaseUrl, {
    ...options,
    env: {
      ...options.env,
      NODE_OPTIONS: `--import=tsx --import=${hook}`,
      BENCH_MEMORY_FILE: file,
    },
  });
  const collect = async () => {
    await rm(file, { force: true });
    process.kill(gateway.pid, 'SIGUSR2');
    const bound = Date.now() + collectBoundMs;
    while (Date.now() < bound) {
      const text = await readFile(file, 'utf8').catch(() => '');
      if (text !== '') return JSON.parse(text) as NodeJS.MemoryUsage;
      await sleep(pollMs);
    }
    throw new Error('the gateway did not collect its garbage');
  };
  return { ...gateway, collect };
}
