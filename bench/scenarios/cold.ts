import type { LoadRequest } from '../load/job.ts';
import { sample } from '../measure/comparison.ts';
import { startGateway } from '../processes/lavagna.ts';
import { residentBytes } from '../processes/usage.ts';
import type { Scenario } from '../scenario.ts';

const CACHE_MB = 256;
const MAX_TENANTS = 2_000;
const CONNECTIONS = 10;
const BYTES_PER_MB = 1024 * 1024;

/** Every menu once, by a gateway that has just started: what a first read costs, and memory. */
export const cold: Scenario = {
  name: 'cold',
  run: async (stage) => {
    const { lavagna, slugs, loader } = stage;
    const gateway = await startGateway('gateway', lavagna.databaseUrl, {
      env: { SNAPSHOT_CACHE_MB: String(CACHE_MB) },
    });
    try {
      const generated = slugs.slice(2, MAX_TENANTS + 2);
      const requests = generated.map((slug): LoadRequest => {
        return { path: '/api/v1/menu', headers: { Host: stage.host(slug) } };
      });
      const residentBefore = residentBytes(gateway.pid);
      const measured = await sample(loader, gateway, {
        kind: 'cannon',
        port: gateway.port,
        connections: CONNECTIONS,
        requests,
        expectedStatus: 200,
      });
      const grown = residentBytes(gateway.pid) - residentBefore;
      const held = await gateway.metric('lavagna_snapshots');
      const bytes = await gateway.metric('lavagna_snapshot_cache_bytes');
      const kilobytes = (value: number) => `${(value / held / 1_000).toFixed(1)} KB`;
      return [
        {
          title: `Cold snapshots: each of ${generated.length} menus for the first time`,
          note: `${CONNECTIONS} connections, SNAPSHOT_CACHE_MB ${CACHE_MB}.`,
          facts: [
            ['response time p50', `${measured.p50.toFixed(1)} ms`],
            ['response time p99', `${measured.p99.toFixed(1)} ms`],
            ['CPU of the gateway', `${(measured.cpu / measured.requests).toFixed(0)} µs/request`],
            ['snapshots held', `${held}`],
            ['memory by the cache’s own account', `${kilobytes(bytes)}/snapshot`],
            ['resident memory that was added', `${kilobytes(grown)}/snapshot`],
            ['cache', `${(bytes / BYTES_PER_MB).toFixed(0)} of ${(CACHE_MB * 7) / 8} MiB`],
          ],
        },
      ];
    } finally {
      await gateway.stop();
    }
  },
};
