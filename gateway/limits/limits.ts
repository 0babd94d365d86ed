import type { ClientAddress } from '../http/client-address.ts';

/** The three limiters of the specification, by the part of the API that they guard. */
export type Limiter = 'public' | 'admin' | 'analytics';

/** What a limiter decided about one request. */
export interface Verdict {
  admitted: boolean;
  /** Requests that the client has left in its window. */
  remaining: number;
  /** Milliseconds until a refused client's window ends; 0 for an admitted one. */
  resetIn: number;
}

/** Decides whether a client of a tenant may have one more request (SPEC, "Limits"). */
export interface Limits {
  /** At once unless the client may be near its limit; the promise never rejects. */
  take(limiter: Limiter, tenantId: number, client: ClientAddress): Verdict | Promise<Verdict>;
}
