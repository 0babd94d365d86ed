import { setTimeout as sleep } from 'node:timers/promises';
import { writeOut } from '../../runtime/output.ts';
import type { Running } from '../../runtime/running.ts';
import { isServing, type Server } from './server.ts';

/** Pause between two checks whether the server runs, in ms. */
const watchMs = 250;

/**
 * Restarts the server when it was killed or ran out of memory, until `stop`. A restart that fails is
 * tried again.
 *
 * @param start starts a server on the same port, or finds the one that another program started there
 */
export function superviseServer(
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
        // A disk may be full for hours, so only the first failure is printed.
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
