/**
 * Every bound of the system that an operator does not set, with its unit, in one place.
 * `assertBounds` checks at start how they relate.
 */
export const bounds = {
  /** Page size of `/items` when none is asked for, and the largest, in dishes. */
  defaultPerPage: 50,
  maxPerPage: 100,
  /** Longest search text, in characters. */
  maxSearchLength: 200,

  /** Longest body of a request, in bytes. */
  maxBodyBytes: 1_048_576,

  /** Share of SNAPSHOT_CACHE_MB that answers joined on demand may take; snapshots have the rest. */
  derivedCacheShare: 1 / 8,
  /** Hosts that do not exist and are remembered as such, in entries, and for how long, in ms. */
  maxUnknownHosts: 10_000,
  unknownHostTtl: 5_000,

  /** How long Postgres may take over a statement that a public read waits for, in ms. */
  readStatementTimeout: 1_500,
  /** How long such a read waits for a connection, in ms. */
  readConnectionTimeout: 1_500,
  /** Connections of one gateway's pool. */
  gatewayConnections: 10,
  /** Connections of one worker: its own, and those in which the queue runs jobs. */
  workerConnections: 4,
  workerQueueConnections: 8,
  /** How long Postgres may take over a worker's statement, and a connection for it, in ms. */
  workerStatementTimeout: 60_000,
  workerConnectionTimeout: 10_000,
  /** Tenants whose snapshots a gateway refreshes at the same time. */
  maxRefreshes: 4,
  /** Pause before a gateway tries again to refresh a stale snapshot or to LISTEN, in ms. */
  retryDelay: 500,

  /** Length of a client's window of requests (SPEC, "Limits"), in ms. */
  limitWindow: 60_000,
  /** Least time between two statements with which a gateway counts requests, in ms. */
  limitSyncInterval: 10,
  /** Most windows that one such statement counts. */
  limitSyncBatch: 2_000,
  /** Longest that a request near its limit waits for Postgres before the gateway decides, in ms. */
  limitWaitBound: 200,
  /** How long Postgres may take to count requests before its connection is given up, in ms. */
  limitStatementTimeout: 2_000,
  /** Windows that a gateway holds; one takes about 300 bytes. */
  maxLimitWindows: 250_000,
  /** Of how many requests of a limit all gateways together may admit one beyond it: 5 of 120. */
  limitLeakOneIn: 24,
  /** Share of a limit from which on a client is near it, where there are several gateways. */
  limitNear: 3 / 4,
  /** Gateways that one takes for granted in its first minute: the others may be starting, too. */
  limitAssumedGateways: 6,
  /** Pause between two rounds of clearing ended windows, in ms, and windows that one clears. */
  limitClearInterval: 1_000,
  limitClearBatch: 1_000,

  /** Pause between the heartbeats of the connection that listens, in ms. */
  listenHeartbeat: 5_000,

  /** Longest that a process waits for requests and jobs in flight when it stops, in ms. */
  stopTimeout: 10_000,
} as const;

/** Throws when the bounds contradict each other; every process calls it before it starts. */
export function assertBounds(): void {
  const ordered = [bounds.defaultPerPage, bounds.maxPerPage];
  if ((ordered[0] ?? 0) > (ordered[1] ?? 0)) throw new Error('defaultPerPage exceeds maxPerPage');
  // A cold read that fails must have failed within the two seconds that its client is promised.
  if (bounds.readStatementTimeout >= 2_000 || bounds.readConnectionTimeout >= 2_000) {
    throw new Error('a cold read could take longer than two seconds');
  }
  const { limitSyncInterval, limitWaitBound, limitStatementTimeout } = bounds;
  if (limitSyncInterval >= limitWaitBound || limitWaitBound >= limitStatementTimeout) {
    throw new Error('a request near its limit could not wait for the statement that counts it');
  }
}
