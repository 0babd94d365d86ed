import type { Limiter, Verdict } from './limits.ts';

/** Header lines about a client's limit: the value of X-RateLimit-Limit and what follows it. */
export interface LimitHeads {
  /** For a request that was decided; a refused one is told when to come again. */
  of(limiter: Limiter, verdict: Verdict): Buffer;
  /** For a request that could not be counted: it took nothing from the client. */
  uncounted(limiter: Limiter): Buffer;
}

/** Any page may read a menu and send events; what is behind a token is for servers alone. */
const OPEN_TO_BROWSERS = [
  'Access-Control-Allow-Origin: *',
  'Access-Control-Expose-Headers: ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
];
const CORS: Record<Limiter, readonly string[]> = {
  public: OPEN_TO_BROWSERS,
  admin: [],
  analytics: OPEN_TO_BROWSERS,
};

/** Counts beyond this are so far from any limit that their lines are made anew each time. */
const MAX_PREPARED = 1_000;

/**
 * Prepares the header lines of the counts that a response can carry.
 *
 * @param limits requests a minute
 * @param epoch the time of day in ms since 1970
 */
export function createLimitHeads(limits: Record<Limiter, number>, epoch: () => number): LimitHeads {
  const make = (limiter: Limiter, remaining: number, more: readonly string[] = []) => {
    const lines = [`${limits[limiter]}`, `X-RateLimit-Remaining: ${remaining}`, ...more];
    return Buffer.from([...lines, ...CORS[limiter]].join('\r\n'));
  };
  const prepare = (limiter: Limiter) =>
    Array.from({ length: Math.min(limits[limiter], MAX_PREPARED) + 1 }, (_, remaining) =>
      make(limiter, remaining),
    );
  const prepared: Record<Limiter, Buffer[]> = {
    public: prepare('public'),
    admin: prepare('admin'),
    analytics: prepare('analytics'),
  };
  const admitted = (limiter: Limiter, remaining: number) =>
    prepared[limiter][remaining] ?? make(limiter, remaining);
  return {
    of: (limiter, { admitted: isAdmitted, remaining, resetIn }) => {
      if (isAdmitted) return admitted(limiter, remaining);
      // Rounded up: whoever comes back when the second is over is not refused again.
      return make(limiter, 0, [
        `Retry-After: ${Math.max(1, Math.ceil(resetIn / 1000))}`,
        `X-RateLimit-Reset: ${Math.ceil((epoch() + resetIn) / 1000)}`,
      ]);
    },
    uncounted: (limiter) => admitted(limiter, limits[limiter]),
  };
}
