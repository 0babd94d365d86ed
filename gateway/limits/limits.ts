/** The three limiters of the specification, by the part of the API that they guard. */
export type Limiter = 'public' | 'admin' | 'analytics';

/** What a limiter decided about one request. */
export interface Verdict {
  admitted: boolean;
  /** Requests that the client has left in its window. */
  remaining: number;
}

/** Decides whether a client of a tenant may have one more request. */
export interface Limits {
  take(limiter: Limiter, tenantId: number): Verdict | Promise<Verdict>;
}

/**
 * Admits everything and counts nothing.
 *
 * @param limits requests a minute
 */
export function createUncountedLimits(limits: Record<Limiter, number>): Limits {
  return { take: (limiter) => ({ admitted: true, remaining: limits[limiter] }) };
}
