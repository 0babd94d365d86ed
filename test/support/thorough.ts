/** Whether the tests of `test/thorough/` run: those of the suite on their long walk. */
export const isThorough = process.env.THOROUGH !== undefined;

/** A number of random cases: the first one in the suite, the second one on the long walk. */
export const often = (suite: number, thorough: number): number => (isThorough ? thorough : suite);
