import type { Logger } from 'pino';
import { constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import type { LookShares } from './look-shares.ts';

/** Asked before each batch of a round: false when the worker stops. */
export type GoesOn = () => boolean;

/**
 * Calls `removeBatch`, which removes up to `removalBatch` rows and returns how many, until a batch is
 * not full: then there are no more.
 */
export async function removeAll(removeBatch: () => Promise<number>, goesOn: GoesOn): Promise<void> {
  while (goesOn() && (await removeBatch()) >= constants.removalBatch);
}

interface RoundsOptions {
  /** Names the rounds in the log. */
  what: string;
  /** In ms. */
  interval: number;
  /** In ms. */
  firstAfter: number;
  round: (goesOn: GoesOn) => Promise<void>;
  /** Where workers share the rounds: all of them together do one every `interval`. */
  shares?: LookShares;
  log: Logger;
}

/**
 * Does the first round `firstAfter` ms after the start, because a worker that starts has other work
 * first, and each further one `interval` ms after the end of the last. A round that fails is logged,
 * and tried again in its turn. `stop` resolves when none is under way.
 */
export function startRounds(options: RoundsOptions): Running {
  const { what, interval, firstAfter, round, shares, log } = options;
  let stopped = false;
  let underWay = Promise.resolve();
  const begin = () => {
    underWay = round(() => !stopped)
      .catch((error) => log.error({ err: error }, `${what} failed; it will be tried again`))
      .then(() => {
        if (!stopped) timer = setTimeout(begin, shares?.untilNext(interval) ?? interval);
      });
  };
  let timer = setTimeout(begin, firstAfter);
  return stopOnce(async () => {
    stopped = true;
    clearTimeout(timer);
    await underWay;
  });
}
