import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../stage/free-port.ts';
import { startMember } from '../stage/member.ts';

const GATEWAYS = 4;
const LIMIT = 120;
const LEAK = 5;
const WINDOW = 60_000;
/** Pause of a connection after a refusal, in ms. */
const PAUSE = 20;
/** Admissions further apart than this belong to different windows, in ms. */
const GAP = 15_000;

/** A client that asks for much more than its limit. */
interface Hammer {
  name: string;
  address: string;
  connections: number;
  keepAlive: boolean;
  /** When it was admitted, in ms. */
  admitted: number[];
  refused: number;
}

function ask(port: number, { address }: Hammer, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Host: 'trattoria.localhost', 'X-Forwarded-For': address };
    const outgoing = request(
      { host: '127.0.0.1', port, path: '/api/v1/theme', headers, agent },
      (incoming) => {
        incoming.resume();
        incoming.on('end', () => resolve(incoming.statusCode ?? 0));
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function hammerAway(port: number, hammer: Hammer, until: number): Promise<void> {
  const agent = new Agent({ keepAlive: hammer.keepAlive, maxSockets: 1 });
  while (Date.now() < until) {
    const status = await ask(port, hammer, agent);
    if (status === 200) hammer.admitted.push(Date.now());
    else if (status === 429) hammer.refused += 1;
    else throw new Error(`the gateway answered ${status}`);
    if (status === 429) await sleep(PAUSE);
  }
  agent.destroy();
}

/** How many were admitted in each window. */
function perWindow(times: readonly number[]): number[] {
  const counts: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const time of times.toSorted((a, b) => a - b)) {
    if (time - last > GAP) counts.push(0);
    counts.push((counts.pop() ?? 0) + 1);
    last = time;
  }
  return counts;
}

/** Four gateways on one port: what clients beyond their limit are admitted in each window. */
export async function windows(databaseUrl: string, count: number): Promise<boolean> {
  const port = await freePort();
  const env = { TRUSTED_PROXIES: '127.0.0.1', LIMIT_PUBLIC: String(LIMIT) };
  const start = () => startMember('gateway/main.ts', databaseUrl, { port, env });
  const gateways = await Promise.all(Array.from({ length: GATEWAYS }, start));
  const client = (name: string, n: number, connections: number, keepAlive = true): Hammer => {
    const address = `198.18.${process.pid & 255}.${n}`;
    return { name, address, connections, keepAlive, admitted: [], refused: 0 };
  };
  // The system spreads connections, not requests: few connections leave gateways without any.
  const hammers = [
    client('evenly: 32 connections', 1, 32),
    client('skewed: 2 connections', 2, 2),
    client('moving: a connection a request', 3, 8, false),
  ];
  // Windows begin when their client asks again: each begins a little after the one before.
  const until = Date.now() + count * WINDOW - PAUSE;
  try {
    await Promise.all(
      hammers.flatMap((hammer) =>
        Array.from({ length: hammer.connections }, () => hammerAway(port, hammer, until)),
      ),
    );
  } finally {
    for (const gateway of gateways) await gateway.stop();
  }
  let isKept = true;
  for (const { name, admitted, refused } of hammers) {
    const counts = perWindow(admitted);
    isKept &&= counts.every((passed) => passed >= LIMIT && passed <= LIMIT + LEAK);
    console.log(`${name}: admitted ${counts.join(', ')} of ${admitted.length + refused} asked`);
  }
  console.log(isKept ? 'kept' : `NOT KEPT: ${LIMIT} to ${LIMIT + LEAK} are allowed in a window`);
  return isKept;
}
