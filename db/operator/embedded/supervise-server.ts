import { setTimeout as sleep } from 'node:timers/promises';
import { writeOut } from '../../runtime/output.ts';
import { type Running, stopOnce } from '../../runtime/running.ts';
import { rotateLog } from './rotate-log.ts';
import { isServing, type PostgresServer } from './server.ts';

/** Pause between two checks whether the server runs, in ms. */
const watchMs = 250;

/**
 * Rotates the server's log, and restarts the server when it was killed or ran out of memory, until
 * `stop`. It tries again after a failure.
 *
 * @param start starts a server on the same port, or finds the one that another program started there
 */
export function superviseServer(
  server: PostgresServer,
  directory: string,
  logPath: string,
  start: () => Promise<PostgresServer>,
): Running {
  const stopping = new AbortController();
  const { signal } = stopping;
  const restart = async (): Promise<PostgresServer> => {
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
  let hasComplained = false;
  const rotate = async () => {
    try {
      await rotateLog(logPath);
      hasComplained = false;
    } catch (error) {
      if (hasComplained) return;
      hasComplained = true;
      console.error(`The log of Postgres cannot be put aside: ${(error as Error).message}.`);
    }
  };
  const watch = async () => {
    let { pid } = server;
    for (;;) {
      await sleep(watchMs, undefined, { signal, ref: false });
      await rotate();
      if (!(await isServing(pid, directory))) ({ pid } = await restart());
    }
  };
  const watching = watch().catch((error) => {
    if (!signal.aborted) throw error;
  });
  return stopOnce(() => {
    stopping.abort();
    return watching;
  });
}
