import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwOverdue } from '../db/postgres/outage.ts';
import { constants } from '../db/runtime/constants.ts';
import { withTimeout } from '../db/runtime/with-timeout.ts';

interface Waiting<T, R> {
  item: T;
  /** Whether the caller has timed out. */
  isGone: boolean;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export interface BatchOptions<T> {
  /** Items in one operation. */
  maxItems: number;
  /** Milliseconds that a caller waits. */
  timeout: number;
  /**
   * Whose an item is. An operation takes the first item of each owner, then the second ones, and so on:
   * an owner with one item does not wait for another's hundreds. Without it, all have one owner.
   */
  ownerOf?(item: T): unknown;
}

/** Those that wait, in the order in which they are taken. Those of one owner keep their order. */
function inTurns<T, R>(
  waiting: readonly Waiting<T, R>[],
  ownerOf: (item: T) => unknown,
): Waiting<T, R>[] {
  const counts = new Map<unknown, number>();
  const placed = waiting.map((one) => {
    const owner = ownerOf(one.item);
    const turn = counts.get(owner) ?? 0;
    counts.set(owner, turn + 1);
    return { one, turn };
  });
  return placed.sort((left, right) => left.turn - right.turn).map(({ one }) => one);
}

/** Replaced when the promise is made. */
function notYet(): void {}

/**
 * Answers many callers with few operations, one operation at a time. Callers that come during an
 * operation share the next one; none of them waits for a timer.
 *
 * The returned function resolves with the operation's result for the item. It rejects when the
 * operation does, and after `timeout` ms with OverdueError; an item that still waits then is not sent.
 *
 * @param operate returns one result for each item, in their order; `isOverdue` tells whether one of
 *   the callers has timed out, so that nothing should be committed any more
 */
export function createBatcher<T, R>(
  { maxItems, timeout, ownerOf }: BatchOptions<T>,
  operate: (items: readonly T[], isOverdue: () => boolean) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let busy = false;

  const pump = async () => {
    while (waiting.length > 0) {
      if (ownerOf && waiting.length > maxItems) waiting = inTurns(waiting, ownerOf);
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
    // Callers of the same turn of the event loop share an operation.
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
