/** Answers many callers with few operations. */
export interface Gatherer<T, R> {
  /** Resolves with what the operation gave for `item`; rejects when the operation did. */
  ask(item: T): Promise<R>;
}

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * While one operation is under way, whoever comes next is gathered for the following one: nobody
 * waits for a timer, and there is never more than one operation at a time.
 *
 * @param maxItems bound of one operation
 * @param operate gives one result for each item, in their order
 */
export function createGatherer<T, R>(
  maxItems: number,
  operate: (items: readonly T[]) => Promise<readonly R[]>,
): Gatherer<T, R> {
  let waiting: Waiting<T, R>[] = [];
  let busy = false;

  const pump = async () => {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      try {
        const results = await operate(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(results[index] as R);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    busy = false;
  };

  return {
    ask: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        // Those that arrive in the same turn of the event loop go together.
        if (!busy) {
          busy = true;
          setImmediate(() => void pump());
        }
      }),
  };
}
