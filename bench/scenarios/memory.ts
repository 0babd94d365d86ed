import type { Environment } from '../environment.ts';
import { addressOf, TRUSTED } from '../load/addresses.ts';
import type { LoadRequest } from '../load/job.ts';
import { startMeasuredGateway } from '../processes/measured-gateway.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { atMost, type Figure, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const PARTS = 3;
const CONNECTIONS = 50;
const TENANTS = 200;
const BYTES_PER_MB = 1024 * 1024;

/** Menus and records of many tenants in turn, and one new search in four requests. */
function mixedRequests({ slugs, host }: Environment, count: number, offset: number): LoadRequest[] {
  const tenants = slugs.slice(2, TENANTS + 2);
  return Array.from({ length: count }, (_, i) => {
    const at = offset + i;
    const tenant = host(tenants[at % tenants.length] ?? '');
    const headers = { Host: tenant, 'X-Forwarded-For': addressOf(at) };
    const paths = ['menu', 'menu/en', 'restaurant', 'categories', 'allergens'];
    const search = `items?search=po&visit=${at}`;
    const path = at % 4 === 0 ? search : (paths[at % paths.length] ?? '');
    return { path: `/api/v1/${path}`, headers: { ...headers, 'Accept-Encoding': 'br' } };
  });
}

async function measure(environment: Environment, folder: string): Promise<Finding[]> {
  const { lavagna, load, size } = environment;
  await using gateway = await startMeasuredGateway('gateway', lavagna.databaseUrl, folder, {
    env: TRUSTED,
  });
  const readings: NodeJS.MemoryUsage[] = [];
  const share = Math.ceil(size.mixedRequests / PARTS);
  for (let part = 0; part < PARTS; part += 1) {
    environment.progress(`mixed load, part ${part + 1} of ${PARTS}`);
    await load.run({
      kind: 'requests',
      port: gateway.port,
      connections: CONNECTIONS,
      requests: mixedRequests(environment, share, part * share),
      expectedStatus: 200,
    });
    readings.push(await gateway.collect());
  }
  const figures = readings.flatMap(({ heapUsed, rss }, i): Figure[] => {
    const after = `after ${((i + 1) * share).toLocaleString('en-GB')} requests`;
    return [
      { name: `heap ${after}`, unit: 'MiB', median: heapUsed / BYTES_PER_MB },
      { name: `resident ${after}`, unit: 'MiB', median: rss / BYTES_PER_MB },
    ];
  });
  const heap = (index: number) => readings.at(index)?.heapUsed ?? Number.NaN;
  // The first part fills the caches.
  const text = 'heap after the last part of the load ÷ after the second';
  const goals = [atMost(text, heap(-1) / heap(1), 1.05)];
  return [{ title: 'Memory under a mixed load, after a collection', figures, goals }];
}

/** Memory of a gateway after a little and after a lot of work. */
export const memory: Scenario = {
  name: 'memory',
  run: (environment) => withFolder('memory', (folder) => measure(environment, folder)),
};
