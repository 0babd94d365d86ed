import { capture, headerOf } from '../measure/capture.ts';
import { sample } from '../measure/comparison.ts';
import { startGateway } from '../processes/lavagna.ts';
import { residentBytes } from '../processes/usage.ts';
import type { Scenario } from '../scenario.ts';

/** Displays that hold their connections and ask every few seconds whether the menu changed. */
export const displays: Scenario = {
  name: 'displays',
  run: async (stage) => {
    const { lavagna, slugs, loader, size } = stage;
    const gateway = await startGateway('gateway', lavagna.databaseUrl);
    try {
      const headers = { Host: stage.host(slugs[2] ?? ''), 'Accept-Encoding': 'br' };
      const known = await capture(gateway.port, '/api/v1/menu', headers);
      const conditional = { ...headers, 'If-None-Match': headerOf(known, 'ETag') };
      const residentBefore = residentBytes(gateway.pid);
      const measured = await sample(loader, gateway, {
        kind: 'displays',
        port: gateway.port,
        displays: size.displays,
        request: { path: '/api/v1/menu', headers: conditional },
        pollSeconds: size.pollSeconds,
        polls: size.polls,
        expectedStatus: 304,
      });
      const grown = residentBytes(gateway.pid) - residentBefore;
      const perDisplay = (grown / size.displays / 1_000).toFixed(1);
      const core = (measured.cpu / measured.seconds / 10_000).toFixed(1);
      return [
        {
          title: `${size.displays.toLocaleString('en-GB')} displays that poll every ${size.pollSeconds} s, 304`,
          facts: [
            ['polls', `${measured.requests} in ${measured.seconds.toFixed(0)} s`],
            ['response time p50', `${measured.p50.toFixed(2)} ms`],
            ['response time p99', `${measured.p99.toFixed(2)} ms`],
            ['response time p99.9', `${measured.p999.toFixed(2)} ms`],
            ['CPU of the gateway', `${(measured.cpu / measured.requests).toFixed(0)} µs/poll`],
            ['one core', `${core} %`],
            ['resident memory that was added', `${perDisplay} KB/display`],
            ['connections closed by the gateway between polls', `${measured.reconnects}`],
            ['of these, just as a poll was sent', `${measured.cutOff}`],
          ],
        },
      ];
    } finally {
      await gateway.stop();
    }
  },
};
