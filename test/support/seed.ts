/**
 * The seed of tests that make up their inputs, a whole number. It is the same in each run, so that
 * a green run stays green: a red one tells of the change under test. `SEED=any` takes another one
 * each time, and `SEED=N` repeats one that failed.
 */
export const seed =
  process.env.SEED === 'any' ? Date.now() % 1_000_000 : Number(process.env.SEED ?? 1);
