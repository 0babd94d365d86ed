import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwOverdue } from '../../db/postgres/outage.ts';
import { withTimeout } from '../../db/runtime/running.ts';

/** Callers of a shared statement that continue in one turn of the event loop. */
const CALLERS_PER_TURN = 4;

interface Waiting<T, R> {
  item: T;
  /** Whether the caller has timed out. */
  isGone: boolean;
  resolve(result: R): void;
  reject(error: unknown): void;
}

interface BatchOptions<T> {
  /** Items in one operation, or their sizes together; an item that is larger has one of its own. */
  maxItems: number;
  /** As how many items one counts; 1 by default. */
  sizeOf?(item: T): number;
  /** Milliseconds that a caller waits. */
  timeout: number;
  /** The same for one item, where they differ. */
  timeoutOf?(item: T): number;
  /** Milliseconds in which others may join the first of an operation; by default none. */
  pause?: number;
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

/** How many of those that wait fit into one operation: the first at least. */
function countFitting<T, R>(
  waiting: readonly Waiting<T, R>[],
  maxItems: number,
  sizeOf: (item: T) => number,
): number {
  let size = 0;
  const end = waiting.findIndex(({ item }) => {
    size += sizeOf(item);
    return size > maxItems;
  });
  return end === -1 ? waiting.length : Math.max(end, 1);
}

/** Replaced when the promise is made. */
function notYet(): void {}

/** Gives each caller its result, some in each turn of the event loop. */
async function deliver<T, R>(batch: readonly Waiting<T, R>[], results: readonly R[]) {
  for (const [index, { resolve }] of batch.entries()) {
    if (index > 0 && index % CALLERS_PER_TURN === 0) await nextTurn();
    resolve(results[index] as R);
  }
}

/**
 * Answers many callers with few operations, one operation at a time. Callers that come during an
 * operation share the next one. Without a `pause` none of them waits for a timer.
 *
 * The returned function resolves with the operation's result for the item. It rejects when the
 * operation does, and after `timeout` ms with OverdueError; an item that still waits then is not sent.
 *
 * @param operate returns one result for each item, in their order; `isOverdue` tells whether one of
 *   the callers has timed out, so that nothing should be committed any more
 */
export function createBatcher<T, R>(
  {
    maxItems,
    sizeOf = () => 1,
    timeout,
    timeoutOf = () => timeout,
    pause,
    ownerOf,
  }: BatchOptions<T>,
  operate: (items: readonly T[], isOverdue: () => boolean) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let busy = false;

  const pump = async () => {
    while (waiting.length > 0) {
      if (ownerOf && waiting.length > maxItems) waiting = inTurns(waiting, ownerOf);
      const batch = waiting.splice(0, countFitting(waiting, maxItems, sizeOf));
      try {
        const items = batch.map(({ item }) => item);
        const results = await operate(items, () => batch.some(({ isGone }) => isGone));
        void deliver(batch, results);
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
      if (pause === undefined) setImmediate(() => void pump());
      else setTimeout(() => void pump(), pause);
    }
    return withTimeout(timeoutOf(item), answer, throwOverdue).catch((error) => {
      withdraw(one);
      throw error;
    });
  };
}
