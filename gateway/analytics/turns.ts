/** Resolves when it is the caller's turn to work for a moment. */
export type Turns = () => Promise<void>;

/**
 * Lets those who have work that can wait go one after the other, one in each turn of the event loop:
 * however many batches of events there are, a menu is answered between two slices of them.
 */
export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}
