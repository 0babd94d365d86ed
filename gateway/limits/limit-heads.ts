import type { Limiter } from './limits.ts';

export interface LimitHeads {
  /** The value of X-RateLimit-Limit and the header lines after it. */
  head(limiter: Limiter, remaining: number): Buffer;
}

/** Any page may read a menu and send events; what is behind a token is for servers alone. */
const OPEN_TO_BROWSERS = [
  'Access-Control-Allow-Origin: *',
  'Access-Control-Expose-Headers: ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
];

/** Counts up to this one are prepared; an operator may set limits of many millions. */
const MAX_PREPARED = 1_000;

/**
 * Prepares the header lines of every count that a response usually carries.
 *
 * @param limits requests a minute
 */
export function createLimitHeads(limits: Record<Limiter, number>): LimitHeads {
  const write = (limiter: Limiter, remaining: number) => {
    const cors = limiter === 'admin' ? [] : OPEN_TO_BROWSERS;
    const lines = [`${limits[limiter]}`, `X-RateLimit-Remaining: ${remaining}`, ...cors];
    return Buffer.from(lines.join('\r\n'));
  };
  const prepare = (limiter: Limiter) =>
    Array.from({ length: Math.min(limits[limiter], MAX_PREPARED) + 1 }, (_, remaining) =>
      write(limiter, remaining),
    );
  const heads: Record<Limiter, Buffer[]> = {
    public: prepare('public'),
    admin: prepare('admin'),
    analytics: prepare('analytics'),
  };
  return {
    head: (limiter, remaining) => heads[limiter][remaining] ?? write(limiter, remaining),
  };
}
