import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Stage } from '../environment.ts';
import type { LoadRequest } from '../load/job.ts';
import { repository } from '../processes/child.ts';
import { type Gateway, startGateway } from '../processes/lavagna.ts';
import type { Scenario } from '../scenario.ts';

const PARTS = 6;
const CONNECTIONS = 50;
const TENANTS = 200;
const collectBoundMs = 10_000;
const pollMs = 20;
const BYTES_PER_MB = 1024 * 1024;

/** Menus of many tenants in turn, with searches, records by id and unknown paths between them. */
function mixedRequests({ slugs, host }: Stage, count: number, offset: number): LoadRequest[] {
  const tenants = slugs.slice(2, TENANTS + 2);
  return Array.from({ length: count }, (_, i) => {
    const at = offset + i;
    const headers = { Host: host(tenants[at % tenants.length] ?? '') };
    const paths = ['menu', 'menu/en', 'restaurant', 'categories', 'allergens'];
    const search = `items?search=po&visit=${at}`;
    const path = at % 4 === 0 ? search : (paths[at % paths.length] ?? '');
    return { path: `/api/v1/${path}`, headers: { ...headers, 'Accept-Encoding': 'br' } };
  });
}

/** Memory after a forced collection. */
async function collect(gateway: Gateway, file: string): Promise<NodeJS.MemoryUsage> {
  await rm(file, { force: true });
  process.kill(gateway.pid, 'SIGUSR2');
  const bound = Date.now() + collectBoundMs;
  while (Date.now() < bound) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return JSON.parse(text) as NodeJS.MemoryUsage;
    await sleep(pollMs);
  }
  throw new Error('the gateway did not collect its garbage');
}

/** Whether a gateway that has done a lot of work holds more than one that has done a little. */
export const memory: Scenario = {
  name: 'memory',
  run: async (stage) => {
    const { lavagna, loader, size } = stage;
    const folder = await mkdtemp(join(tmpdir(), 'lavagna-memory-'));
    const file = join(folder, 'memory.json');
    const hook = pathToFileURL(join(repository, 'bench/processes/collect-garbage-on-signal.ts'));
    const gateway = await startGateway('gateway', lavagna.databaseUrl, {
      env: { NODE_OPTIONS: `--import=tsx --import=${hook}`, BENCH_MEMORY_FILE: file },
    });
    try {
      const readings: NodeJS.MemoryUsage[] = [];
      const share = Math.ceil(size.mixedRequests / PARTS);
      for (let part = 0; part < PARTS; part += 1) {
        stage.progress(`mixed load, part ${part + 1} of ${PARTS}`);
        await loader.run({
          kind: 'cannon',
          port: gateway.port,
          connections: CONNECTIONS,
          requests: mixedRequests(stage, share, part * share),
          expectedStatus: 200,
        });
        readings.push(await collect(gateway, file));
      }
      const megabytes = (bytes: number) => (bytes / BYTES_PER_MB).toFixed(1);
      const facts = readings.map(({ heapUsed, external, rss }, i): [string, string] => [
        `after ${((i + 1) * share).toLocaleString('en-GB')} requests`,
        `${megabytes(heapUsed)} / ${megabytes(external)} / ${megabytes(rss)} MiB`,
      ]);
      const heap = (index: number) => readings.at(index)?.heapUsed ?? Number.NaN;
      // The first part fills the caches.
      const text = 'heap after the last part ÷ after the second';
      const goals = [{ text, measured: heap(-1) / heap(1), atMost: 1.05 }];
      const title = 'Memory under a mixed load: heap / external / resident after a collection';
      return [{ title, facts, goals }];
    } finally {
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
