import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

/** Listens on a port (0: any that is free); undefined when it is taken. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  try {
    server.listen({ port, exclusive: true });
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return undefined;
  }
}

/** The first of `count` neighbouring ports that are free now. */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = await listen(0);
    const address = first?.address();
    if (!first || !address || typeof address === 'string') throw new Error('no port was assigned');
    const { port } = address;
    const probes = [first];
    while (probes.length < count) {
      const next = await listen(port + probes.length);
      if (!next) break;
      probes.push(next);
    }
    await Promise.all(probes.map(close));
    if (probes.length === count) return port;
  }
}
