import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * The ports to choose from. Browsers and `fetch` refuse 10,080, and Linux gives the ports from 32,768
 * to outgoing connections at any moment.
 */
const PORTS = { first: 10_081, end: 32_000 };
/** Of each process, more than it has open at a time. */
const PORTS_OF_PROCESS = 200;

/** Listens, and resolves to whether the port was free. */
async function listens(server: Server, port: number): Promise<boolean> {
  try {
    server.listen({ port, exclusive: true });
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return false;
  }
}

/**
 * Takes a range of ports for this process, and returns the first. The process listens there until it
 * ends, so no other one takes that range: a gateway that is stopped for a while finds its port free.
 */
async function takeRange(): Promise<number> {
  const ranges = Math.floor((PORTS.end - PORTS.first) / PORTS_OF_PROCESS);
  for (;;) {
    const first = PORTS.first + randomInt(ranges) * PORTS_OF_PROCESS;
    if (await listens(createServer().unref(), first)) return first;
  }
}

let range: Promise<number> | undefined;
let given = 0;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  if (!(await listens(server, port))) return false;
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

/** The first of `count` neighbouring ports that are free now. No other process gets them. */
export async function freePort(count = 1): Promise<number> {
  range ??= takeRange();
  const own = (await range) + 1;
  for (;;) {
    const at = given + count < PORTS_OF_PROCESS ? given : 0;
    given = at + count;
    if (await areFree(own + at, count)) return own + at;
  }
}
