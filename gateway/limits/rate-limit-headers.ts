import { createReadyId } from '../http/request-headers.ts';
import type { Limiter, Verdict } from './limits.ts';

/** Header lines about a client's limit: the value of X-RateLimit-Limit and what follows it. */
export type RateLimitHeaders = ReturnType<typeof createRateLimitHeaders>;

/** Any page may read a menu and send events; what is behind a token is for servers alone. */
const OPEN_TO_BROWSERS = [
  'Access-Control-Allow-Origin: *',
  'Access-Control-Expose-Headers: ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
];
const CORS: Record<Limiter, readonly string[]> = {
  public: OPEN_TO_BROWSERS,
  admin: [],
  analytics: OPEN_TO_BROWSERS,
};

const ZERO = 48;

/** Writes numbers behind a text, always into the same bytes: a hot read allocates nothing for it. */
function createFrame(text: string, largest: number): (count: number) => Buffer {
  const most = String(largest).length;
  const bytes = Buffer.from(text + '0'.repeat(most), 'latin1');
  const views = Array.from({ length: most + 1 }, (_, digits) =>
    bytes.subarray(0, text.length + digits),
  );
  return (count) => {
    let digits = 1;
    for (let bound = 10; count >= bound; bound *= 10) digits += 1;
    let rest = count;
    for (let index = text.length + digits - 1; index >= text.length; index -= 1) {
      const tens = Math.trunc(rest / 10);
      bytes[index] = ZERO + rest - tens * 10;
      rest = tens;
    }
    return views[digits] as Buffer;
  };
}

/** An id of its own for each answer that caches may keep, and nothing of a client's limit. */
function createIdAlone(): () => Buffer {
  const id = createReadyId();
  const bytes = Buffer.from(id.text);
  return () => {
    id.renew(bytes);
    return bytes;
  };
}

/**
 * @param limits requests a minute
 * @param epoch the time of day in ms since 1970
 * @param isShared whether caches may keep public answers
 */
export function createRateLimitHeaders(
  limits: Record<Limiter, number>,
  epoch: () => number,
  isShared = false,
) {
  const textOf = (limiter: Limiter) =>
    [String(limits[limiter]), ...CORS[limiter], 'X-RateLimit-Remaining: '].join('\r\n');
  const createRemaining = (limiter: Limiter) => createFrame(textOf(limiter), limits[limiter]);
  const remaining: Record<Limiter, (count: number) => Buffer> = {
    public: createRemaining('public'),
    admin: createRemaining('admin'),
    analytics: createRemaining('analytics'),
  };
  /** As `passing` for one limiter, behind an id of the answer, as the value of X-Request-Id. */
  const withId = (limiter: Limiter): ((remaining: number) => Buffer) => {
    if (isShared && limiter === 'public') return createIdAlone();
    const id = createReadyId();
    const text = `${id.text}\r\nX-RateLimit-Limit: ${textOf(limiter)}`;
    const frame = createFrame(text, limits[limiter]);
    return (count: number) => {
      const bytes = frame(count);
      id.renew(bytes);
      return bytes;
    };
  };
  return {
    /** Whether caches may keep public answers, so that these have nothing of a client's limit. */
    isShared,
    /** For a request that was decided; a refused one is told when to come again. */
    of: (limiter: Limiter, { admitted, remaining: count, resetIn }: Verdict) => {
      if (admitted) return Buffer.from(remaining[limiter](count));
      // Rounded up, so that a client that comes back after this second is not refused again.
      const wait = Math.max(1, Math.ceil(resetIn / 1000));
      const reset = Math.ceil((epoch() + resetIn) / 1000);
      const again = `\r\nRetry-After: ${wait}\r\nX-RateLimit-Reset: ${reset}`;
      return Buffer.concat([remaining[limiter](0), Buffer.from(again)]);
    },
    /** For a request that is answered at once: the bytes are good until the next call. */
    passing: (limiter: Limiter, count: number) => remaining[limiter](count),
    withId,
    /** For a request that could not be counted: it took nothing from the client. */
    uncounted: (limiter: Limiter) => Buffer.from(remaining[limiter](limits[limiter])),
  };
}
