import { capture } from '../measure/capture.ts';
import { measureLoad } from '../measure/comparison.ts';
import { startGateway } from '../processes/lavagna.ts';
import { residentBytes } from '../processes/usage.ts';
import type { Figure } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** Displays that keep their connections open and poll with If-None-Match. */
export const displays: Scenario = {
  name: 'displays',
  run: async (environment) => {
    const { lavagna, slugs, load, size } = environment;
    await using gateway = await startGateway('gateway', lavagna.databaseUrl);
    const headers = { Host: environment.host(slugs[2] ?? ''), 'Accept-Encoding': 'br' };
    const known = await capture(gateway.port, '/api/v1/menu', headers);
    const conditional = { ...headers, 'If-None-Match': known.etag };
    const residentBefore = residentBytes(gateway.pid);
    const measured = await measureLoad(load, gateway, {
      kind: 'displays',
      port: gateway.port,
      displays: size.displays,
      request: { path: '/api/v1/menu', headers: conditional },
      pollSeconds: size.pollSeconds,
      polls: size.polls,
      expectedStatus: 304,
    });
    const grown = residentBytes(gateway.pid) - residentBefore;
    const { requests, seconds, cpu, p50, p99, p999, reconnects } = measured;
    const figures: Figure[] = [
      { name: 'polls', unit: '', median: requests },
      { name: 'p50', unit: 'ms', median: p50 },
      { name: 'p99', unit: 'ms', median: p99 },
      { name: 'p99.9', unit: 'ms', median: p999 },
      { name: 'CPU of the gateway', unit: 'µs/poll', median: cpu / requests },
      { name: 'one core', unit: '%', median: cpu / seconds / 10_000 },
      {
        name: 'added resident memory',
        unit: 'KB/display',
        median: grown / size.displays / 1_000,
      },
      { name: 'connections closed between polls', unit: '', median: reconnects },
    ];
    const count = size.displays.toLocaleString('en-GB');
    return [{ title: `${count} displays that poll every ${size.pollSeconds} s, 304`, figures }];
  },
};
