import type { Percentiles } from './percentiles.ts';

/** One request as the load generator sends it. */
export interface LoadRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its query string. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Load by wrk or autocannon: a connection sends its next request when the last one is answered. */
export interface RequestsJob {
  kind: 'requests';
  port: number;
  connections: number;
  /** Sent one after the other; each connection starts at another place of the list and wraps around. */
  requests: LoadRequest[];
  /** Duration in seconds; without it each request is sent once. */
  seconds?: number;
  /** Any other status makes the run fail. */
  expectedStatus: number;
}

/** Displays that keep their connections open and poll every few seconds. */
export interface DisplaysJob {
  kind: 'displays';
  port: number;
  displays: number;
  request: LoadRequest;
  pollSeconds: number;
  /** Polls of each display. */
  polls: number;
  expectedStatus: number;
}

export type LoadJob = RequestsJob | DisplaysJob;

/** The outcome of a load. */
export interface LoadReport extends Omit<Percentiles, 'max'> {
  requests: number;
  seconds: number;
  /** Connections that the server closed and the client opened again. */
  reconnects: number;
  /** Requests that the client sent again because the server closed the connection. */
  resent: number;
}

const CONNECTIONS = 50;

/** Sends the requests over fifty connections for some seconds. */
export function timedLoad(
  port: number,
  requests: LoadRequest[],
  seconds: number,
  expectedStatus = 200,
): RequestsJob {
  return { kind: 'requests', port, connections: CONNECTIONS, requests, seconds, expectedStatus };
}
