import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The ports to choose from. Browsers and `fetch` refuse 10,080, and Linux gives the ports from 32,768
 * to outgoing connections at any moment.
 */
const PORTS = { first: 10_081, end: 32_000 };

let next = randomInt(PORTS.first, PORTS.end);

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

async function areFree(first: number, count: number): Promise<boolean> {
  for (let port = first; port < first + count; port += 1) {
    if (!(await isFree(port))) return false;
  }
  return true;
}

/** The first of `count` neighbouring ports that are free now. No other call gets them. */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = next + count > PORTS.end ? PORTS.first : next;
    next = first + count;
    if (await areFree(first, count)) return first;
  }
}
