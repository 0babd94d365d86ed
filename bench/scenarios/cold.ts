import type { LoadRequest } from '../load/job.ts';
import { measureLoad } from '../measure/comparison.ts';
import { startGateway } from '../processes/lavagna.ts';
import { residentBytes } from '../processes/usage.ts';
import type { Figure } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const CACHE_MB = 256;
const MAX_TENANTS = 2_000;
const CONNECTIONS = 10;

/** Time, CPU and memory of the first read of each menu by a gateway that has just started. */
export const cold: Scenario = {
  name: 'cold',
  run: async (environment) => {
    const { lavagna, slugs, load } = environment;
    const gateway = await startGateway('gateway', lavagna.databaseUrl, {
      env: { SNAPSHOT_CACHE_MB: String(CACHE_MB) },
    });
    try {
      const generated = slugs.slice(2, MAX_TENANTS + 2);
      const requests = generated.map((slug): LoadRequest => {
        return { path: '/api/v1/menu', headers: { Host: environment.host(slug) } };
      });
      const residentBefore = residentBytes(gateway.pid);
      const measured = await measureLoad(load, gateway, {
        kind: 'requests',
        port: gateway.port,
        connections: CONNECTIONS,
        requests,
        expectedStatus: 200,
      });
      const grown = residentBytes(gateway.pid) - residentBefore;
      const held = await gateway.metric('lavagna_snapshots');
      const bytes = await gateway.metric('lavagna_snapshot_cache_bytes');
      const figures: Figure[] = [
        { name: 'p50', unit: 'ms', median: measured.p50 },
        { name: 'p99', unit: 'ms', median: measured.p99 },
        {
          name: 'CPU of the gateway',
          unit: 'µs/request',
          median: measured.cpu / measured.requests,
        },
        { name: 'snapshots held', unit: '', median: held },
        { name: 'counted by the cache', unit: 'KB/snapshot', median: bytes / held / 1_000 },
        { name: 'added resident memory', unit: 'KB/snapshot', median: grown / held / 1_000 },
      ];
      const title = `Cold snapshots: ${generated.length} menus, each read once`;
      const note = `${CONNECTIONS} connections, SNAPSHOT_CACHE_MB ${CACHE_MB}.`;
      return [{ title, note, figures }];
    } finally {
      await gateway.stop();
    }
  },
};
