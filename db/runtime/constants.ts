import { DAY } from './day.ts';

/**
 * The limits of queues, caches, batches, waits and retries, and what clients were promised, in one
 * place. Times are in milliseconds unless the name says otherwise.
 *
 * Parts that wait take their constants as an option: a process passes these, a test may pass shorter
 * ones. Sizes in schemas and statements are read from here.
 */
const defaults = {
  /** Page size of `/items` when none is asked for, and the largest, in dishes. */
  defaultPerPage: 50,
  maxPerPage: 100,
  /** Longest search text, in characters. */
  maxSearchLength: 200,

  /** Longest query of a request, in characters, and its longest body, in bytes. */
  maxQueryLength: 16_384,
  maxBodyBytes: 1_048_576,
  /**
   * How long, in ms, the next piece of a body that nobody wants is awaited before its connection ends,
   * and how long all of them.
   */
  lingerTimeout: 1_000,
  lingerBound: 30_000,
  /** Bodies of all requests that one gateway has not answered yet, in bytes. */
  maxBodiesBytes: 256 * 1_048_576,
  /** Those among them of one IPv4 address or IPv6 network (/64): many people may share one. */
  maxBodiesBytesPerClient: 64 * 1_048_576,
  /** Values and names that the JSON of a body may hold, and how deep they may be nested. */
  maxJsonParts: 40_000,
  maxJsonDepth: 64,

  /** Tokens, results of writes, and salts in one look-up; requests beyond wait for the next. */
  maxTokensPerLookUp: 500,
  maxResultsPerLookUp: 200,
  maxSaltsPerLookUp: 1_000,
  /** Snapshots that may be read at once before it is asked, for all at once, whether they exist. */
  maxUncheckedReads: 100,
  /** Slugs in one such question. */
  maxSlugsPerLookUp: 500,
  /** How long after its look-up a token may still begin something, in ms: its body may come slowly. */
  tokenFreshness: 1_000,
  /**
   * Callers of a shared statement that go on in one turn of the event loop: were hundreds to do so,
   * whoever asks for no more than a menu would wait for all of them.
   */
  callersPerTurn: 4,
  /** Pause between two statements that note when tokens were last used, in ms. */
  tokenUseInterval: 5_000,

  /** Events in one request. */
  maxEventsPerRequest: 500,
  /** Longest id of an event or of its visitor, in characters. */
  maxEventIdLength: 100,
  /** How long ago an event may have occurred, and how far a display's clock may be ahead, in ms. */
  maxEventAge: 7 * DAY,
  maxClockLead: 5 * 60_000,
  /** Events that are checked in one go, before other requests have their turn. */
  eventsPerSlice: 50,
  /** How long accepted events wait for others to commit with, in ms. */
  eventLinger: 20,
  /** Events in one job of the queue, and in one statement that sends jobs. */
  eventsPerJob: 1_000,
  eventsPerCommit: 2_000,
  /** Events that a gateway holds before Postgres has them; beyond it refuses more. */
  maxPendingEvents: 50_000,
  /**
   * How long events may take to be committed before their client is refused, and how long a commit
   * may keep the next from being tried, in ms.
   */
  eventPatience: 1_750,
  /**
   * A gateway takes events from a restaurant's budget of a day (EVENTS_PER_DAY) in parts of the
   * budget ÷ this. Budgets that a gateway remembers, in entries, and that one statement grants.
   */
  eventGrantOneIn: 100,
  maxRememberedBudgets: 50_000,
  maxBudgetsPerGrant: 1_000,
  /** Salts that a gateway remembers, in entries: some days of 10,000 restaurants. */
  maxRememberedSalts: 50_000,
  /** Time zones in use at once, and in each of them quarters of an hour: a week's and more. */
  maxZones: 100,
  maxQuartersPerZone: 1_000,
  /** Jobs of events that a worker takes in one transaction, and how many of these run at once. */
  eventJobsPerBatch: 16,
  eventBatchesAtOnce: 2,
  /** Jobs that one statement puts back into their queue. */
  eventJobsPerRedrive: 1_000,
  /**
   * How often a worker says that it is still busy with jobs of events, and after which silence they
   * are another's, in s; pg-boss takes 10 or more.
   */
  eventHeartbeatSeconds: 3,
  eventHeartbeatExpirySeconds: 10,
  /** Days after which a client may give the id of an event to another: its repeat was refused. */
  eventIdDays: 9,
  /** Days for which partitions of events are made before events come, the present day among them. */
  partitionDaysAhead: 3,
  /** Old event ids that one statement deletes. */
  idsPerDeletion: 10_000,
  /** Pause between two rounds of a worker's housekeeping of events, in ms. */
  analyticsHousekeepingInterval: 3_600_000,
  /** Longest period of a report, in days, and its length when none is asked for. */
  maxReportDays: 1_100,
  defaultReportDays: 30,
  /** First day that a report may be about; Postgres knows no year 0. */
  earliestReportDay: '2000-01-01',
  /** Entries of a report's lists when no limit is asked for, and the largest limit. */
  defaultReportLimit: 50,
  maxReportLimit: 1_000,

  /**
   * Longest that a restaurant's records may be as JSON, a winery once more with each of its wines, in
   * bytes: some four thousand dishes in five languages. A gateway reads a menu in one statement, within
   * `readStatementTimeout`, and everybody else waits while it is put together.
   */
  maxMenuLength: 4 * 1_048_576,
  /** How deep sections may be nested. */
  maxSectionDepth: 8,

  /** Longest Idempotency-Key of a write, in characters. */
  maxIdempotencyKeyLength: 255,
  /** Writes that a gateway hands to the queue in one transaction. */
  maxWritesPerSubmit: 100,
  /** Writes of one tenant that may wait; the next one is answered with 503. */
  maxWaitingWrites: 200,
  /** Writes of one tenant that share one transaction and one rebuild. */
  maxWritesPerRebuild: 50,
  /** How often a write may meet an unexpected error before that becomes its result. */
  maxWriteErrors: 3,
  /** How often its time may run out, for its worker was killed or others were at its tenant. */
  maxWriteTimeouts: 30,
  /** Pause before a write is tried again, in s. */
  writeRetryDelaySeconds: 1,
  /**
   * How long a worker may be busy with a job of a tenant's writes, in s. One that was killed with it
   * holds its tenant up for this long and one more round of `superviseIntervalSeconds`; one that was
   * killed without it, for no longer than `workerPollSeconds`.
   */
  writeExpirySeconds: 5,
  superviseIntervalSeconds: 1,
  /** How often it is seen to that the queue has not outlived a clock that was set back, in ms. */
  clockInterval: 10_000,
  /** No job of ours is sent, or tried again, for a later moment than this, in s. */
  latestStartSeconds: 120,
  /** Pause between two deletions of jobs that were completed long enough ago, in s. */
  queueMaintenanceIntervalSeconds: 60,
  /** Longest that a worker sleeps without looking for jobs, should a notification be lost, in s. */
  workerPollSeconds: 2,
  /** Tenants whose writes one worker does at the same time, on either of the two ways. */
  writesInParallel: 2,
  /** Pause before a worker looks again for writes of a tenant at which others were, in ms. */
  lockedTenantPause: 100,

  /** Menus that a worker remembers between writes, in bytes. */
  knownMenuBytes: 64 * 1_048_576,

  /** How long building a menu may keep the event loop in one go, in ms. */
  buildSlice: 5,
  /** Tenants for whose snapshots one statement asks to be rebuilt. */
  rebuildsPerBatch: 1_000,

  /** How long after its start a worker does its first rounds of housekeeping, in ms. */
  firstRoundAfter: 5_000,
  /** After how many days a deleted record is gone for good. */
  purgeDays: 30,
  /** Rows that housekeeping removes in one statement, and the pause between its rounds, in ms. */
  removalBatch: 500,
  housekeepingInterval: 600_000,

  /** How long Postgres may take over a statement that hands jobs to the queue, in ms. */
  sendStatementTimeout: 1_500,
  /** How long a gateway waits for a write's result before it answers 202, in ms. */
  writeWait: 5_000,
  /** After so long without a result it flushes the commit, so that a 202 is kept, in ms. */
  writeSecuredAfter: 1_000,
  /** How often it looks for results whose announcement was lost, in ms. */
  resultPoll: 500,
  /** How long results and idempotency keys are kept, and unexpected errors, in hours. */
  resultHours: 24,
  faultHours: 24 * 30,

  /** Share of SNAPSHOT_CACHE_MB that answers joined on demand may take; snapshots have the rest. */
  derivedCacheShare: 1 / 8,
  /** Such answers that were asked for once and are kept when they are asked for again, in entries. */
  maxAskedOnce: 2_000,
  /** Hosts that do not exist and are remembered as such, in entries, and for how long, in ms. */
  maxUnknownHosts: 10_000,
  unknownHostTtl: 5_000,

  /** Host headers whose slug is remembered, in entries. */
  maxRememberedHosts: 20_000,
  /** Accept-Encoding headers that are remembered, in entries; browsers share a dozen. */
  maxRememberedEncodings: 256,
  /** Tenants whose announced versions a gateway remembers that reads a replica, in entries. */
  maxRememberedVersions: 20_000,

  /** How long Postgres may take over a statement that a public read waits for, in ms. */
  readStatementTimeout: 1_500,
  /** How long such a read waits for a connection, in ms. */
  readConnectionTimeout: 1_500,
  /**
   * How long after its time is over a statement may still be answered, before the server counts as
   * silent and the connection as lost, in ms.
   */
  answerGrace: 200,
  /** How long a statement of a gateway may take in all, with its wait for a connection, in ms. */
  readPatience: 1_750,
  /** How long a replica may take over a statement, and for how long it rests when it failed, in ms. */
  replicaPatience: 500,
  replicaRest: 5_000,
  /** Statements of a pool that may wait or run; one more is refused. */
  maxStatements: 1_000,
  /** How long each of several hosts may take to say whether it takes writes, in ms. */
  primarySearchTimeout: 1_000,
  /** Connections of one gateway's pool, of those for reports and the panel, and of that to the replica. */
  gatewayConnections: 7,
  gatewayReportConnections: 3,
  gatewayPanelConnections: 2,
  gatewayReplicaConnections: 4,
  /** Connections through which one gateway hands jobs to the queue. */
  gatewayQueueConnections: 4,
  /** Different statements of the queue that a connection prepares; there are some dozens. */
  maxQueueStatements: 200,
  /** Connections of one worker: its own, and those in which the queue runs jobs. */
  workerConnections: 4,
  workerQueueConnections: 8,
  /**
   * How long Postgres may take over a worker's statement, and a connection for it, in ms. A connection
   * that has died without a word is given up after as long.
   */
  workerStatementTimeout: 15_000,
  workerConnectionTimeout: 10_000,
  /** How long a transaction may be idle, that is, its process busy, frozen or cut off, in ms. */
  idleTimeout: 10_000,
  /** Tenants whose snapshots a gateway refreshes at the same time. */
  maxRefreshes: 4,
  /** How often a gateway asks whether the database is still the one that it was, in ms. */
  pastInterval: 10_000,
  /** Pause before a gateway tries again to refresh a stale snapshot or to LISTEN, in ms. */
  retryDelay: 500,

  /** Length of a client's window of requests (SPEC, "Limits"), in ms. */
  limitWindow: 60_000,
  /**
   * Least time between two statements with which a gateway counts requests, in ms: when requests
   * wait for it, and when it is only to report what was admitted.
   */
  limitSyncInterval: 10,
  limitReportInterval: 200,
  /** Most windows that one such statement counts. */
  limitSyncBatch: 2_000,
  /** Longest that a request near its limit waits for Postgres before the gateway decides, in ms. */
  limitWaitBound: 200,
  /** How long Postgres may take to count requests before its connection is given up, in ms. */
  limitStatementTimeout: 2_000,
  /** Windows that a gateway holds; one takes about 300 bytes. */
  maxLimitWindows: 250_000,
  /** By how much all gateways together may exceed a limit: the limit ÷ this, 5 requests of 120. */
  limitLeakOneIn: 24,
  /** Share of a limit from which on a client is near it, where there are several gateways. */
  limitNear: 3 / 4,
  /** Gateways that one takes for granted in its first minute: the others may be starting, too. */
  limitAssumedGateways: 6,
  /** Pause between two rounds of clearing ended windows, in ms, and windows that one clears. */
  limitClearInterval: 1_000,
  limitClearBatch: 1_000,

  /** How long a notice may be on its way before an operator is told that none arrives, in ms. */
  doctorPatience: 5_000,
  /** How long a process or a command that starts waits for the database to answer, in ms. */
  reachTimeout: 10_000,

  /** Pause between the heartbeats of the connection that listens, in ms. */
  listenHeartbeat: 2_000,

  /** Longest form of the panel, in bytes, and longest name of a token, in characters. */
  maxFormBytes: 16_384,
  maxTokenNameLength: 100,
  /** Tokens that a restaurant may have active, and those that the panel lists. */
  maxActiveTokens: 100,
  maxListedTokens: 200,
  /** Age after which a token should be replaced by a new one, in ms. */
  tokenRotationAge: 90 * DAY,
  /** How long a new token's value can be shown, by its form that is sent again too, in ms. */
  revealTtl: 120_000,
  /** A panel session ends this long after its last use, and at the latest after its begin, in ms. */
  sessionIdleTtl: 2 * 3_600_000,
  sessionTtl: 12 * 3_600_000,
  /** Sign-ins that may fail in a window for one account and from one address; its length in ms. */
  maxAccountFailures: 10,
  maxAddressFailures: 30,
  signInWindow: 15 * 60_000,
  /** Windows of other accounts and addresses that are over and cleared by an attempt. */
  attemptsPerClearing: 100,
  /** Sign-ins that a gateway has under way; it checks their passwords one after the other. */
  maxSignIns: 20,
  /** Those among them of one IPv4 address or IPv6 network (/64), whatever restaurants they are at. */
  maxSignInsPerClient: 3,
  /** Share of one processor's time that checking passwords may take for long. */
  passwordCheckShare: 1 / 3,
  /** What somebody who could not wait is told to wait, in ms. */
  busyRetryAfter: 5_000,
  /** Longest e-mail address (RFC 5321), in characters. */
  maxEmailLength: 254,

  /** How old the state of the queues may be that a worker tells, and how long it may take, in ms. */
  queueStateAge: 5_000,
  queueStateTimeout: 1_000,

  /** How long the same fault is counted before it is told again, in ms. */
  faultRepeat: 60_000,
  /** Different faults that are counted so at the same time; those beyond are told each time. */
  maxCountedFaults: 1_000,
  /**
   * Pause between two looks whether Postgres is back, and how long no statement must have failed
   * for it to count as back, in ms: longer than refused clients are told to stay away.
   */
  outageProbe: 500,
  outageQuiet: 5_000,

  /**
   * How long a gateway that stops goes on answering on the connections that it has, in ms: clients
   * that ask in this time are told to make a new one, and find it with another gateway.
   */
  farewell: 1_000,
  /**
   * Longest that a process waits for requests and jobs in flight when it stops, what is done after
   * them may take as long as this more, and when `npm start` kills it, in ms.
   */
  stopTimeout: 10_000,
  stopReserve: 3_000,
  stopBound: 15_000,
};

export type Constants = Readonly<typeof defaults>;
export const constants: Constants = Object.freeze(defaults);
