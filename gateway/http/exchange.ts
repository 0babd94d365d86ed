import type { Answer } from './answer.ts';
import type { ClientAddress } from './client-address.ts';

/** The parts of a request on which the answer to a read depends that displays poll. */
export interface Poll {
  /** Who sent it, as far as those who passed it on can be trusted. */
  client: ClientAddress;
  host: string;
  ifNoneMatch: string;
  acceptEncoding: string;
}

/** The parts of a request on which pages for guests and their files depend. */
export interface PageRequest extends Omit<Poll, 'client'> {
  /** Whether its client came through TLS: to us, or to a trusted proxy that says so. */
  secure: boolean;
  /** Without the question mark. */
  query: string;
  /** Of repeated headers the first; empty where no page is asked for. */
  cookie: string;
  acceptLanguage: string;
}

/** A copy of a request, because the library's object lives only for a moment. */
export interface Request extends PageRequest, Poll {
  /** Of the answer's X-Request-Id. */
  id: string;
  /** Lower case. */
  method: string;
  path: string;
  /** All by lower-case name; empty for reads without a body that need no others (`neededHeaders`). */
  headers: ReadonlyMap<string, string>;
  /** Resolves with the body when it has arrived; empty for methods that have none. */
  body: Promise<Buffer>;
  /**
   * Counts bytes that are made of the body among those of bodies, until the request is answered.
   *
   * @throws CrowdedError when there is no room for them
   */
  claim: (bytes: number) => void;
  /** Frees the memory of the body before the request is answered: its bytes are gone. */
  free: () => void;
}

/** An answer with the header lines that differ from client to client. */
export interface Reply {
  answer: Answer;
  /** The pattern of the path that was answered, or what there was instead of a route. */
  route: string;
  /**
   * Value of X-RateLimit-Limit and, after it, further header lines; null for none. The bytes of a
   * reply that comes at once are good until the next request is handled.
   */
  limitHead: Buffer | null;
}

/** Answers a request; neither throws nor rejects. */
export type Handler = (request: Request) => Reply | Promise<Reply>;
