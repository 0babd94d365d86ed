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

/** A list of such things, which `await using` stops one after the other. */
export function group<T extends Stoppable>(...all: T[]): T[] & AsyncDisposable {
  const stop = async () => {
    for (const one of all) await one.stop();
  };
  return Object.assign(all, { [Symbol.asyncDispose]: stop });
}
