/** A cache, as far as this needs one. */
interface Kept<Made> {
  get(key: string): Made | undefined;
  set(key: string, made: Made): unknown;
}

/**
 * Makes what a cache lacks. However many ask for one thing, it is made once; after a failure the next
 * one who asks tries again.
 *
 * @returns gives what is kept at once
 */
export function createMaker<Made>(kept: Kept<Made>) {
  const coming = new Map<string, Promise<Made>>();
  const makeOne = async (key: string, make: () => Promise<Made>) => {
    try {
      const made = await make();
      kept.set(key, made);
      return made;
    } finally {
      coming.delete(key);
    }
  };
  return (key: string, make: () => Promise<Made>): Made | Promise<Made> => {
    const known = kept.get(key) ?? coming.get(key);
    if (known !== undefined) return known;
    const making = makeOne(key, make);
    coming.set(key, making);
    return making;
  };
}
