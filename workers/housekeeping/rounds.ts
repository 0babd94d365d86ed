import type { Logger } from 'pino';
import { constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';

/** Asked before each batch of a round: false when the worker stops. */
export type GoesOn = () => boolean;

/**
 * Does a round of `what` soon, for a worker that starts has other work first, and another one whenever
 * `interval` ms have passed since the last. A round that fails is logged, and tried again in its turn.
 * `stop` resolves when none is under way.
 */
export function startRounds(
  what: string,
  interval: number,
  round: (goesOn: GoesOn) => Promise<void>,
  log: Logger,
): Running {
  let stopped = false;
  let underWay = Promise.resolve();
  const begin = () => {
    underWay = round(() => !stopped)
      .catch((error) => log.error({ err: error }, `${what} failed; it will be tried again`))
      .then(() => {
        if (!stopped) timer = setTimeout(begin, interval);
      });
  };
  let timer = setTimeout(begin, constants.firstRoundAfter);
  return stopOnce(async () => {
    stopped = true;
    clearTimeout(timer);
    await underWay;
  });
}
