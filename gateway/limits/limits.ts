import type { ClientAddress } from '../http/client-address.ts';

/** The three limiters of the specification, by the part of the API that they guard. */
export type Limiter = 'public' | 'admin' | 'analytics';

/** The decision of a limiter about one request. */
export interface Verdict {
  admitted: boolean;
  /** Requests that the client has left in its window. */
  remaining: number;
  /** Milliseconds until a refused client's window ends; 0 for an admitted one. */
  resetIn: number;
}

/**
 * Decides whether a client of a tenant may have one more request (SPEC, "Limits"). All addresses of
 * one `clientNetwork` are the same client.
 */
export interface Limits {
  /** At once unless the client may be near its limit; the promise never rejects. */
  take(limiter: Limiter, tenantId: number, client: ClientAddress): Verdict | Promise<Verdict>;
  /**
   * Admits a request if that is certain at once, and returns how many the client has left; below 0
   * for one that `take` must decide, which is not counted here.
   *
   * @param now on the clock of the limits, which need not be read twice for one request
   */
  pass(limiter: Limiter, tenantId: number, client: ClientAddress, now: number): number;
}
