import { setTimeout as sleep } from 'node:timers/promises';
import { startStreamFollowers } from '../load/stream-followers.ts';
import { capture, headerOf } from '../measure/capture.ts';
import { startGateway } from '../processes/lavagna.ts';
import { postmasterPid } from '../processes/postgres.ts';
import { cpuTime, treeCpuTime } from '../processes/usage.ts';
import type { Figure } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const POLL_SECONDS = 10;

/** The first process of Lavagna's Postgres; undefined where another one is used. */
/**
 * The same displays polling and then following the stream, while the menu does not change: what the
 * gateway and Postgres work, and what they work without displays. It takes about twelve minutes, so
 * that every stream ends and is opened again, as each does after five to ten.
 */
export const follow: Scenario = {
  name: 'follow',
  run: async ({ lavagna, load, size, slugs, host, progress }) => {
    const gateway = await startGateway('gateway', lavagna.databaseUrl);
    const followers = await startStreamFollowers();
    const postgres = postmasterPid(lavagna.pid);
    const figures: Figure[] = [];
    const measure = async (name: string, work: () => Promise<unknown>) => {
      progress(name);
      const startedAt = performance.now();
      const since = [cpuTime(gateway.pids), postgres ? treeCpuTime(postgres) : 0] as const;
      await work();
      const used = [cpuTime(gateway.pids), postgres ? treeCpuTime(postgres) : 0] as const;
      const seconds = (performance.now() - startedAt) / 1_000;
      const shares = {
        'the gateway': (used[0] - since[0]) / seconds / 10_000,
        ...(postgres && { Postgres: (used[1] - since[1]) / seconds / 10_000 }),
      };
      for (const [who, median] of Object.entries(shares)) {
        figures.push({ name: `${name}: ${who}`, unit: '% of a core', median });
      }
    };
    try {
      const headers = { Host: host(slugs[2] ?? ''), 'Accept-Encoding': 'br' };
      const known = await capture(gateway.port, '/api/v1/menu', headers);
      const conditional = { ...headers, 'If-None-Match': headerOf(known, 'ETag') };
      await measure('neither', () => sleep(size.pollSeconds * size.polls * 1_000));
      await measure('polling', () =>
        load.run({
          kind: 'displays',
          port: gateway.port,
          displays: size.followers,
          request: { path: '/api/v1/menu', headers: conditional },
          pollSeconds: POLL_SECONDS,
          polls: size.polls,
          expectedStatus: 304,
        }),
      );
      await measure('opening the streams', () =>
        followers.open(size.followers, gateway.port, headers.Host),
      );
      await measure('following', () => sleep(size.followSeconds * 1_000));
      const count = size.followers.toLocaleString('en-GB');
      return [
        { title: `${count} displays that poll every ${POLL_SECONDS} s, and that follow`, figures },
      ];
    } finally {
      await followers.stop();
      await gateway.stop();
    }
  },
};
