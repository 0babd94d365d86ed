/** What ends a request; older browsers cannot, and then its answer is not awaited. */
export const createAbort = () =>
  'AbortController' in window ? new AbortController() : { signal: undefined, abort: () => {} };
