import { setTimeout as sleep } from 'node:timers/promises';
import { startStreamFollowers } from '../load/stream-followers.ts';
import { capture } from '../measure/capture.ts';
import { startGateway } from '../processes/lavagna.ts';
import { postmasterPid } from '../processes/postgres.ts';
import { cpuTime, treeCpuTime } from '../processes/usage.ts';
import type { Figure } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const POLL_SECONDS = 10;
/** How long a stream lasts on average: each ends after five to ten minutes. */
const STREAM_SECONDS = 450;

/** Work of some seconds, and the CPU time that each process took for it, in µs. */
interface Spent {
  seconds: number;
  cpu: Record<string, number>;
}

/**
 * The same displays polling and then following the stream, while the menu does not change: what the
 * gateway and Postgres work, and what they work without displays. None of the streams ends in the
 * minute that is measured, so each one's share of an opening is added.
 */
export const follow: Scenario = {
  name: 'follow',
  run: async ({ lavagna, load, size, slugs, host, progress }) => {
    await using gateway = await startGateway('gateway', lavagna.databaseUrl);
    await using followers = await startStreamFollowers();
    const postgres = postmasterPid(lavagna.pid);
    const figures: Figure[] = [];
    const read = (): Record<string, number> => ({
      'the gateway': cpuTime(gateway.pids),
      ...(postgres && { Postgres: treeCpuTime(postgres) }),
    });
    const measure = async (name: string, work: () => Promise<unknown>): Promise<Spent> => {
      progress(name);
      const startedAt = performance.now();
      const before = read();
      await work();
      const cpu = read();
      for (const [who, time] of Object.entries(before)) cpu[who] = (cpu[who] ?? 0) - time;
      return { seconds: (performance.now() - startedAt) / 1_000, cpu };
    };
    const note = (name: string, { seconds, cpu }: Spent, further: Spent['cpu'] = {}) => {
      for (const [who, time] of Object.entries(cpu)) {
        const perSecond = time / seconds + (further[who] ?? 0) / STREAM_SECONDS;
        figures.push({ name: `${name}: ${who}`, unit: '% of a core', median: perSecond / 10_000 });
      }
    };
    const rest = () => sleep(size.pollSeconds * size.polls * 1_000);
    const headers = { Host: host(slugs[2] ?? ''), 'Accept-Encoding': 'br' };
    const known = await capture(gateway.port, '/api/v1/menu', headers);
    const conditional = { ...headers, 'If-None-Match': known.etag };
    note('neither', await measure('neither', rest));
    const poll = () =>
      load.run({
        kind: 'displays',
        port: gateway.port,
        displays: size.followers,
        request: { path: '/api/v1/menu', headers: conditional },
        pollSeconds: POLL_SECONDS,
        polls: size.polls,
        expectedStatus: 304,
      });
    note('polling', await measure('polling', poll));
    const open = () => followers.open(size.followers, gateway.port, headers.Host);
    const opening = await measure('opening the streams', open);
    const hanging = await measure('following', () => sleep(size.followSeconds * 1_000));
    note('following', hanging, opening.cpu);
    const count = size.followers.toLocaleString('en-GB');
    return [
      { title: `${count} displays that poll every ${POLL_SECONDS} s, and that follow`, figures },
    ];
  },
};
