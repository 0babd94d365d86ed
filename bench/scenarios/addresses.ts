import { type LoadRequest, timedLoad } from '../load/job.ts';
import { startGateway } from '../processes/lavagna.ts';
import type { Scenario } from '../scenario.ts';

/** Addresses of 10.0.0.0/8, one after the other. */
function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}

/** Every request comes from another client address, which a trusted proxy names. */
export const addresses: Scenario = {
  name: 'addresses',
  run: async (environment) => {
    const { lavagna, slugs, size } = environment;
    const headers = { Host: environment.host(slugs[2] ?? ''), 'Accept-Encoding': 'br' };
    const from = (index: number): LoadRequest => ({
      path: '/api/v1/menu',
      headers: { ...headers, 'X-Forwarded-For': addressOf(index) },
    });
    const server = await startGateway('gateway', lavagna.databaseUrl, {
      env: { TRUSTED_PROXIES: '127.0.0.1/32,::1/128' },
    });
    try {
      const all = Array.from({ length: size.addresses }, (_, index) => from(index));
      const count = size.addresses.toLocaleString('en-GB');
      const rows = await environment.compare([
        {
          name: 'one client address',
          server,
          job: timedLoad(server.port, [from(0)], size.seconds),
        },
        {
          name: `${count} client addresses`,
          server,
          job: timedLoad(server.port, all, size.seconds),
        },
      ]);
      return [{ title: 'Client addresses behind a trusted proxy, /menu, br', rows }];
    } finally {
      await server.stop();
    }
  },
};
