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

/**
 * Prepares the header lines of every count that a response can carry.
 *
 * @param limits requests a minute
 */
export function createLimitHeads(limits: Record<Limiter, number>): LimitHeads {
  const prepare = (limiter: Limiter, cors: readonly string[]) =>
    Array.from({ length: limits[limiter] + 1 }, (_, remaining) =>
      Buffer.from(
        [`${limits[limiter]}`, `X-RateLimit-Remaining: ${remaining}`, ...cors].join('\r\n'),
      ),
    );
  const heads: Record<Limiter, Buffer[]> = {
    public: prepare('public', OPEN_TO_BROWSERS),
    admin: prepare('admin', []),
    analytics: prepare('analytics', OPEN_TO_BROWSERS),
  };
  return { head: (limiter, remaining) => heads[limiter][remaining] as Buffer };
}
