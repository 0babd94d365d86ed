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

/** When the first slice of this turn of the event loop began; undefined before it. */
let begunAt: number | undefined;

function beginOfTurn(): number {
  if (begunAt === undefined) {
    const now = performance.now();
    begunAt = now;
    setImmediate(() => {
      if (begunAt === now) begunAt = undefined;
    });
  }
  return begunAt;
}

let last: Promise<unknown> = Promise.resolve();

/** Resolves in a turn of the event loop that none of the others who wait here has. */
async function ownTurn(): Promise<void> {
  const own = last.then(() => nextTurn());
  last = own;
  await own;
  // It comes before the callback of the turn before, which may have been asked for later.
  begunAt = undefined;
}

/** Resolves in a turn of the event loop that has time for a slice; at once, if the present one has. */
export async function turnWithTime(length = constants.slice): Promise<void> {
  if (performance.now() >= beginOfTurn() + length) await ownTurn();
}

/**
 * Does work that takes long, a step at a time, and gives the event loop to others in between. Each has
 * turns of its own, and a work's end waits for one. First slices share the time of a turn.
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
  await turnWithTime(length);
  for (;;) {
    const end = beginOfTurn() + length;
    const start = performance.now();
    let now: number;
    do {
      const step = steps.next();
      now = performance.now();
      if (step.done) {
        if (now >= end - length / 2) await ownTurn();
        return step.value;
      }
    } while (now < end);
    left -= now - start;
    if (left < 0) throw new TooSlowError();
    await ownTurn();
  }
}
