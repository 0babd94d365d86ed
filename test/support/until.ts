import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Between two looks, in ms: a quarter of the wait until then, so that a long one takes few of them. */
const PAUSE = { share: 0.25, least: 10, most: 50 };
/** The longest wait; a busy machine needs a small part of it. */
const BOUND_MS = 180_000;

/** Waits until something is answered with a status. */
export const untilStatus = (
  what: string,
  status: number,
  ask: () => Promise<{ status: number }>,
): Promise<void> => until(what, async () => (await ask()).status === status);

/** Waits until a statement finds a row. */
export const untilFound = (what: string, find: () => Promise<unknown[]>): Promise<void> =>
  until(what, async () => (await find()).length > 0);

/** Waits until something holds. If that does not happen, it fails with `what`. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  boundMs = BOUND_MS,
): Promise<void> {
  const start = performance.now();
  while (!(await isSo())) {
    const waited = performance.now() - start;
    assert.ok(waited < boundMs, what);
    await sleep(Math.min(PAUSE.most, Math.max(PAUSE.least, waited * PAUSE.share)));
  }
}
