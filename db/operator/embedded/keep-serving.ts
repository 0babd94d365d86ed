import { setTimeout as sleep } from 'node:timers/promises';
import { writeOut } from '../../runtime/output.ts';
import type { Running } from '../../runtime/running.ts';
import { isServing, type Server } from './server.ts';

/** How often it is looked whether the server is still there, in ms. */
const watchMs = 250;

/**
 * Starts a server again whenever it ends by itself: killed, or out of memory, until it is stopped. A
 * restart that fails is tried again.
 *
 * @param start on the port that its users know; gives the one that somebody else has started there
 */
export function keepServing(
  server: Server,
  directory: string,
  start: () => Promise<Server>,
): Running {
  const stopping = new AbortController();
  const { signal } = stopping;
  const restart = async (): Promise<Server> => {
    writeOut('Postgres has ended and is started again.\n');
    for (let failures = 0; ; failures += 1) {
      try {
        return await start();
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
      if (!(await isServing(pid, directory))) ({ pid } = await restart());
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
