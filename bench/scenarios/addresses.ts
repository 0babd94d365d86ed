import { addressOf, TRUSTED } from '../load/addresses.ts';
import { createClient } from '../load/client.ts';
import { type LoadRequest, timedLoad } from '../load/job.ts';
import { startGateway } from '../processes/lavagna.ts';
import { atMost, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const LIMIT = 120;
const WINDOW_MS = 60_000;
const ATTEMPTS = 10_000;
const ATTEMPTS_AT_ONCE = 50;

/** Two clients under many addresses: one of IPv4, in three spellings, and the /64 of a household. */
const CLIENTS: readonly ((index: number) => string)[] = [
  (index) => ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:CB00:7109'][index % 3] ?? '',
  (index) => `2001:db8:7:1:${index.toString(16)}::${(index * 7).toString(16)}`,
];

/** How many requests of a client are admitted beyond its limit, under however many addresses. */
async function attempt(databaseUrl: string, slug: string): Promise<Finding> {
  const env = { ...TRUSTED, LIMIT_PUBLIC: String(LIMIT) };
  await using server = await startGateway('gateway', databaseUrl, { env });
  using client = createClient(server.port);
  const admitted = CLIENTS.map(() => 0);
  const ask = async (index: number) => {
    const who = index % CLIENTS.length;
    const address = CLIENTS[who]?.(Math.floor(index / CLIENTS.length)) ?? '';
    const call = { path: '/theme', headers: { 'X-Forwarded-For': address } };
    const { status } = await client.call(slug, call);
    if (status === 200) admitted[who] = (admitted[who] ?? 0) + 1;
    else if (status !== 429) throw new Error(`an attempt was answered ${status}`);
  };
  const startedAt = performance.now();
  for (let first = 0; first < ATTEMPTS; first += ATTEMPTS_AT_ONCE) {
    await Promise.all(Array.from({ length: ATTEMPTS_AT_ONCE }, (_, at) => ask(first + at)));
  }
  const windows = 1 + Math.floor((performance.now() - startedAt) / WINDOW_MS);
  const beyond = admitted.reduce((sum, count) => sum + Math.max(0, count - LIMIT * windows), 0);
  return {
    title: `${ATTEMPTS.toLocaleString('en-GB')} attempts of two clients, by IPv4, mapped and IPv6 addresses`,
    figures: [{ name: 'admitted', unit: '', median: admitted.reduce((a, b) => a + b) }],
    goals: [atMost('attempts admitted beyond the limit', beyond, 0)],
  };
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
    await using server = await startGateway('gateway', lavagna.databaseUrl, {
      env: TRUSTED,
    });
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
    const title = 'Client addresses behind a trusted proxy, /menu, br';
    return [{ title, rows }, await attempt(lavagna.databaseUrl, slugs[2] ?? '')];
  },
};
