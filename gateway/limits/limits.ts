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
