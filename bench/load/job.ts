/** One request as the load generator sends it. */
export interface LoadRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its query string. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Load of wrk or autocannon: a connection sends its next request when it has its last answer. */
export interface CannonJob {
  kind: 'cannon';
  port: number;
  connections: number;
  /** Sent in turn; each connection starts at another place of the list and wraps around. */
  requests: LoadRequest[];
  /** How long to go on, in seconds; without it each request is sent once. */
  seconds?: number;
  /** Any other status makes the run fail. */
  expectedStatus: number;
}

/** Displays that keep their connections open and ask again every few seconds. */
export interface DisplaysJob {
  kind: 'displays';
  port: number;
  displays: number;
  request: LoadRequest;
  pollSeconds: number;
  /** How often each display asks. */
  polls: number;
  expectedStatus: number;
}

export type LoadJob = CannonJob | DisplaysJob;

/** What a run of load saw. */
export interface LoadReport {
  requests: number;
  seconds: number;
  /** Milliseconds from request to answer. */
  p50: number;
  p99: number;
  p999: number;
  /** Connections that the server closed and that were made again. */
  reconnects: number;
  /** Requests that were sent on a connection while the server closed it, and sent again. */
  cutOff: number;
}

/** What the load generator says to the bench. */
export type LoadMessage = { ready: true } | { report: LoadReport } | { failure: string };

const CONNECTIONS = 50;

/** Requests in turn over fifty connections, for some seconds. */
export function cannon(
  port: number,
  requests: LoadRequest[],
  seconds: number,
  expectedStatus = 200,
): CannonJob {
  return { kind: 'cannon', port, connections: CONNECTIONS, requests, seconds, expectedStatus };
}
