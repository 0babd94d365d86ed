/** Whether tests take their long walk: `npm run test:walks` says so. */
export const isThorough = process.env.THOROUGH !== undefined;

/** A number of random cases: the first one usually, the second one on the long walk. */
export const often = (suite: number, thorough: number): number => (isThorough ? thorough : suite);
