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

  /** Tokens in one look-up; requests beyond wait for the next. */
  maxTokensPerLookUp: 500,
  /** Pause between two statements that note when tokens were last used, in ms. */
  tokenUseInterval: 5_000,

  /** How deep sections may be nested. */
  maxSectionDepth: 8,

  /** Writes that a gateway hands to the queue in one transaction. */
  maxWritesPerSubmit: 100,
  /** Writes of one tenant that may wait; the next one is answered with 503. */
  maxWaitingWrites: 200,
  /** Writes of one tenant that share one transaction and one rebuild. */
  maxWritesPerRebuild: 50,
  /** How often a write is tried before an unexpected error becomes its result. */
  maxWriteAttempts: 3,
  /** Pause before a write is tried again, in s. */
  writeRetryDelay: 1,
  /**
   * How long a worker may be busy with a tenant's writes, in s. One that was killed holds its
   * tenant up for this long and one more round of `superviseInterval`.
   */
  writeExpiry: 5,
  superviseInterval: 1,
  /** Longest that a worker sleeps without looking for jobs, should a notification be lost, in s. */
  workerPoll: 2,
  /** Tenants whose writes one worker does at the same time; each new job wakes as many look-ups. */
  writesInParallel: 2,

  /** Menus that a worker remembers between writes, in bytes. */
  knownMenuBytes: 64 * 1_048_576,
  /** How long writes pause before answers are compressed, and the longest these wait, in ms. */
  compressAfter: 200,
  compressWithin: 3_000,
  /** How often workers look for answers that nobody has compressed, in s, and how many at once. */
  compressSweep: 5,
  compressBatch: 50,

  /** After how many days a deleted record is gone for good. */
  purgeDays: 30,
  /** Rows that housekeeping removes in one statement, and the pause between its rounds, in ms. */
  removalBatch: 500,
  housekeepingInterval: 600_000,

  /** How long Postgres may take over a statement that hands jobs to the queue, in ms. */
  sendStatementTimeout: 3_000,
  /** How long a gateway waits for a write's result before it answers 202, in ms. */
  writeWait: 5_000,
  /** How often it looks for results whose announcement was lost, in ms. */
  resultPoll: 500,
  /** How long results and idempotency keys are kept, and unexpected errors, in hours. */
  resultHours: 24,
  faultHours: 24 * 30,

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
  /** Connections through which one gateway hands jobs to the queue. */
  gatewayQueueConnections: 4,
  /** Connections of one worker: its own, and those in which the queue runs jobs. */
  workerConnections: 4,
  workerQueueConnections: 8,
  /** How long Postgres may take over a worker's statement, and a connection for it, in ms. */
  workerStatementTimeout: 60_000,
  workerConnectionTimeout: 10_000,
  /** How long a job's transaction may be idle, that is, its worker busy or frozen, in ms. */
  workerIdleTimeout: 10_000,
  /** Tenants whose snapshots a gateway refreshes at the same time. */
  maxRefreshes: 4,
  /** Pause before a gateway tries again to refresh a stale snapshot or to LISTEN, in ms. */
  retryDelay: 500,

  /** Pause between the heartbeats of the connection that listens, in ms. */
  listenHeartbeat: 5_000,

  /** Longest that a process waits for requests and jobs in flight when it stops, in ms. */
  stopTimeout: 10_000,
} as const;

/** Throws when the bounds contradict each other; every process calls it before it starts. */
export function assertBounds(): void {
  const ordered = [bounds.defaultPerPage, bounds.maxPerPage];
  if ((ordered[0] ?? 0) > (ordered[1] ?? 0)) throw new Error('defaultPerPage exceeds maxPerPage');
  if (bounds.maxWritesPerRebuild > bounds.maxWaitingWrites) {
    throw new Error('maxWritesPerRebuild exceeds maxWaitingWrites');
  }
  // Each running write holds a connection of the queue, which needs others to fetch and to settle.
  if (bounds.writesInParallel >= bounds.workerQueueConnections) {
    throw new Error('writesInParallel leaves the queue no connection');
  }
  // Whether a write was sent must be known while its client still waits.
  if (bounds.sendStatementTimeout >= bounds.writeWait) {
    throw new Error('a write could be sent after its client was told that it was not');
  }
  if (bounds.compressAfter > bounds.compressWithin) {
    throw new Error('compressAfter exceeds compressWithin');
  }
  // A cold read that fails must have failed within the two seconds that its client is promised.
  if (bounds.readStatementTimeout >= 2_000 || bounds.readConnectionTimeout >= 2_000) {
    throw new Error('a cold read could take longer than two seconds');
  }
}
