import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../process/running.ts';
import type { Cluster } from './cluster.ts';
import { isServing, type Server, startServer } from './server.ts';

/** How often it is looked whether the server is still there, in ms. */
const watchMs = 250;

/**
 * Starts a server again, on the port that its users know, whenever it ends by itself: killed, or out
 * of memory, until it is stopped. A restart that fails is tried again.
 */
export function keepServing(cluster: Cluster, server: Server, logPath: string): Running {
  const stopping = new AbortController();
  const { signal } = stopping;
  const restart = async (): Promise<Server> => {
    console.log('Postgres has ended and is started again.');
    for (let failures = 0; ; failures += 1) {
      try {
        return await startServer(cluster, logPath, server.port);
      } catch (error) {
        // A disk may be full for hours: what its log says of each attempt is told once.
        if (failures === 0) {
          console.error(error instanceof Error ? error.message : error);
          console.error('It is tried again until it starts.');
        }
        await sleep(watchMs * 4, undefined, { signal });
      }
    }
  };
  const watch = async () => {
    let { pid } = server;
    for (;;) {
      await sleep(watchMs, undefined, { signal, ref: false });
      if (!(await isServing(pid, cluster.directory))) ({ pid } = await restart());
    }
  };
  const watching = watch().catch((error) => {
    if (!signal.aborted) throw error;
  });
  return {
    stop: () => {
      stopping.abort();
      return watching;
    },
  };
}
