/** Makes a way to end a request; in older browsers it ends nothing. */
export const createAbort = () =>
  'AbortController' in window ? new AbortController() : { signal: undefined, abort: () => {} };
