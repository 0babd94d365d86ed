import { once } from 'node:events';
import { connect } from 'node:net';
import { type Client, createClient } from '../load/client.ts';
import { percentilesOf } from '../load/percentiles.ts';
import { type Gateway, startGateway } from '../processes/lavagna.ts';
import { residentMb } from '../processes/usage.ts';
import type { Figure } from '../result.ts';
import type { Scenario } from '../scenario.ts';

/** Connections that are opened at the same time. */
const BATCH = 500;
const READS = 200;

async function readMenus(client: Client, slug: string) {
  const times: number[] = [];
  for (let count = 0; count < READS; count += 1) {
    times.push((await client.expect(200, slug, { path: '/menu' })).took);
  }
  return percentilesOf(times);
}

/** Opens connections that send nothing; each promise resolves when the gateway has closed one. */
async function openIdle(port: number, count: number): Promise<Promise<unknown>[]> {
  const closed: Promise<unknown>[] = [];
  while (closed.length < count) {
    const opened: Promise<unknown>[] = [];
    for (let i = 0; i < BATCH && closed.length < count; i += 1) {
      const socket = connect(port, '127.0.0.1').resume();
      opened.push(once(socket, 'connect'));
      closed.push(once(socket, 'close'));
    }
    await Promise.all(opened);
  }
  return closed;
}

async function measure({ pid, port }: Gateway, slug: string, count: number): Promise<Figure[]> {
  using client = createClient(port, 1);
  await readMenus(client, slug);
  const before = residentMb(pid);
  const startedAt = performance.now();
  const closed = await openIdle(port, count);
  const added = residentMb(pid) - before;
  const { p50, max } = await readMenus(client, slug);
  await Promise.all(closed);
  return [
    { name: 'added resident memory', unit: 'MB', median: added },
    { name: 'p50 of menus meanwhile', unit: 'ms', median: p50 },
    { name: 'slowest menu meanwhile', unit: 'ms', median: max },
    { name: 'all closed after', unit: 's', median: (performance.now() - startedAt) / 1_000 },
  ];
}

/** Memory and delay that silent connections cost, and when the gateway closes them. */
export const idleConnections: Scenario = {
  name: 'idle-connections',
  run: async ({ lavagna, slugs, size }) => {
    await using gateway = await startGateway('gateway', lavagna.databaseUrl);
    const figures = await measure(gateway, slugs[0] ?? '', size.idleConnections);
    return [{ title: `${size.idleConnections} connections that send nothing`, figures }];
  },
};
