import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants } from './constants.ts';

/** Does work in one go. */
export function inOneGo<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The work has taken all of its time and is not done. */
export class TooSlowError extends Error {}

/**
 * Does work that takes long, a step at a time, and gives the event loop to others in between.
 *
 * @param length how long the work may keep the event loop in one go, in ms; a step is not divided
 * @param most how long all of its slices may take, in ms
 * @throws {TooSlowError} when they take longer
 */
export async function inSlices<T>(
  steps: Generator<void, T>,
  length = constants.slice,
  most = Number.POSITIVE_INFINITY,
): Promise<T> {
  let left = most;
  for (;;) {
    const start = performance.now();
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < start + length);
    left -= performance.now() - start;
    if (left < 0) throw new TooSlowError();
    await nextTurn();
  }
}
