import type { Logger } from 'pino';
import { type Running, runningUntil } from '../db/running.ts';

/** Asked before each batch of a round: false when the worker stops. */
export type GoesOn = () => boolean;

/**
 * Does a round of `what` now, and another one whenever `interval` ms have passed since the last. A
 * round that fails is logged, and tried again in its turn. `stop` resolves when none is under way.
 */
export function startRounds(
  what: string,
  interval: number,
  round: (goesOn: GoesOn) => Promise<void>,
  log: Logger,
): Running {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void>;
  const begin = () => {
    underWay = round(() => !stopped)
      .catch((error) => log.error({ err: error }, `${what} failed; it will be tried again`))
      .then(() => {
        if (!stopped) timer = setTimeout(begin, interval);
      });
  };
  begin();
  return runningUntil(async () => {
    stopped = true;
    clearTimeout(timer);
    await underWay;
  });
}
