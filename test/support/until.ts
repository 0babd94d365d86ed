import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 20;

/** Makes a function that waits until something holds; it fails with `what` after `boundMs`. */
export function createUntil(boundMs: number) {
  return async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    const bound = Date.now() + boundMs;
    while (!(await isSo())) {
      assert.ok(Date.now() < bound, what);
      await sleep(PAUSE_MS);
    }
  };
}
