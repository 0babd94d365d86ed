import { setImmediate as nextTurn } from 'node:timers/promises';

/** Does work in one go. */
export function inOneGo<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Does work that takes long, a step at a time, and gives the event loop to others in between.
 *
 * @param length how long the work may keep the event loop in one go, in ms; a step is not divided
 */
export async function inSlices<T>(steps: Generator<void, T>, length: number): Promise<T> {
  for (;;) {
    const end = performance.now() + length;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await nextTurn();
  }
}
