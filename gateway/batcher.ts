import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwOverdue } from '../db/postgres/outage.ts';
import { constants } from '../db/runtime/constants.ts';
import { withTimeout } from '../db/runtime/with-timeout.ts';

interface Waiting<T, R> {
  item: T;
  /** Whether the caller waits no more. */
  isGone: boolean;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export interface BatchLimits {
  /** Items in one operation. */
  maxItems: number;
  /** Milliseconds that a caller waits. */
  timeout: number;
}

/** In place until the promise is made, whose functions take it. */
function notYet(): void {}

/**
 * Answers many callers with few operations. While one is under way, whoever comes next is gathered
 * for the following one: nobody waits for a timer, and there is never more than one at a time.
 *
 * What it returns resolves with what the operation gave for an item; it rejects when the operation
 * did, and after `timeout` ms with OverdueError. What is still waiting then is never sent.
 *
 * @param operate gives one result for each item, in their order; `isOverdue` says whether one of those
 *   who asked has been told that it failed, so that nothing should be done any more
 */
export function createBatcher<T, R>(
  { maxItems, timeout }: BatchLimits,
  operate: (items: readonly T[], isOverdue: () => boolean) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let busy = false;

  const pump = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      try {
        const items = batch.map(({ item }) => item);
        const results = await operate(items, () => batch.some(({ isGone }) => isGone));
        for (const [index, { resolve }] of batch.entries()) {
          if (index > 0 && index % constants.callersPerTurn === 0) await nextTurn();
          resolve(results[index] as R);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    busy = false;
  };

  const withdraw = (one: Waiting<T, R>) => {
    one.isGone = true;
    const place = waiting.indexOf(one);
    if (place !== -1) waiting.splice(place, 1);
  };

  return async (item) => {
    const one: Waiting<T, R> = { item, isGone: false, resolve: notYet, reject: notYet };
    const answer = new Promise<R>((resolve, reject) => {
      one.resolve = resolve;
      one.reject = reject;
    });
    waiting.push(one);
    // Those that arrive in the same turn of the event loop go together.
    if (!busy) {
      busy = true;
      setImmediate(() => void pump());
    }
    return withTimeout(timeout, answer, throwOverdue).catch((error) => {
      withdraw(one);
      throw error;
    });
  };
}
