import { cannon, type LoadRequest } from '../load/job.ts';
import { startGateway } from '../processes/lavagna.ts';
import type { Scenario } from '../scenario.ts';

/** Addresses of 10.0.0.0/8, one after the other. */
function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}

/** Each request from another client, as a proxy in front names it. */
export const addresses: Scenario = {
  name: 'addresses',
  run: async (stage) => {
    const { lavagna, slugs, size } = stage;
    const headers = { Host: stage.host(slugs[2] ?? ''), 'Accept-Encoding': 'br' };
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
      const rows = await stage.compare([
        {
          name: 'one client address',
          server,
          job: cannon(server.port, [from(0)], size.seconds),
        },
        {
          name: `${count} client addresses`,
          server,
          job: cannon(server.port, all, size.seconds),
        },
      ]);
      return [{ title: 'Client addresses behind a trusted proxy, /menu, br', rows }];
    } finally {
      await server.stop();
    }
  },
};
