interface Stoppable {
  stop(): Promise<void>;
}

/** A thing that runs until it is stopped: `await using` stops it at the end of a block. */
export interface Running extends Stoppable, AsyncDisposable {}

export function running<T extends Running>(
  one: Omit<T, typeof Symbol.asyncDispose> & Stoppable,
): T {
  return { ...one, [Symbol.asyncDispose]: one.stop } as unknown as T;
}

/** A list of such things. `await using` stops each of them, also when another one fails. */
export function group<T extends Stoppable>(...all: T[]): T[] & AsyncDisposable {
  const stop = async () => {
    const ends = await Promise.allSettled(all.map((one) => one.stop()));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  return Object.assign(all, { [Symbol.asyncDispose]: stop });
}
