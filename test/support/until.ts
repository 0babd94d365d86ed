import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 20;
/** The longest wait; a busy machine needs a small part of it. */
const BOUND_MS = 300_000;

/** Waits until something holds. If that does not happen, it fails with `what`. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  boundMs = BOUND_MS,
): Promise<void> {
  const bound = performance.now() + boundMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < bound, what);
    await sleep(PAUSE_MS);
  }
}
