import { DAY } from './day.ts';
import { panelConstants, screenConstants } from './page-constants.ts';
import {
  documentConstants,
  hostConstants,
  photoConstants,
  releaseConstants,
  turnConstants,
  webhookConstants,
} from './resource-constants.ts';

/**
 * The limits of queues, caches, batches, waits and retries, and what clients were promised, in one
 * place. Times are in milliseconds unless the name says otherwise.
 *
 * Parts that wait take their constants as an option: a process passes these, a test may pass shorter
 * ones. Sizes in schemas and statements are read from here.
 */
const defaults = {
  /** Dishes on a page of `/items` by default, and at most. */
  defaultPerPage: 50,
  maxPerPage: 100,
  /** Longest search text, in characters. */
  maxSearchLength: 200,

  /** How often a gateway looks whether its certificate was renewed. */
  certificateInterval: 10_000,

  /** Longest query of a request, in characters, and its longest body, in bytes. */
  maxQueryLength: 16_384,
  maxBodyBytes: 1_048_576,
  /**
   * When a request is answered before its body has arrived: how long the gateway waits for the next
   * piece of it before it closes the connection, and for all of it, in ms.
   */
  lingerTimeout: 1_000,
  maxLinger: 30_000,
  /** Bodies of all requests that one gateway has not answered yet, in bytes. */
  maxBodiesBytes: 256 * 1_048_576,
  /** Those of one IPv4 address or IPv6 network (/64), which many people may share, in bytes. */
  maxBodiesBytesPerClient: 64 * 1_048_576,
  /** Levels of nesting in the JSON of a body, at most. */
  maxJsonDepth: 64,

  /** Results of writes in one look-up; the others wait for the next one. */
  maxResultsPerLookUp: 200,
  /** Snapshots read at the same time; beyond it, a shared statement first asks which tenants exist. */
  maxUncheckedReads: 100,
  maxSlugsPerLookUp: 500,
  /** Snapshots in one statement, each of some 50 KB, and of a few MB at most. */
  maxSnapshotsPerRead: 10,
  /** How long a token counts as valid after its look-up, while the request's body arrives, in ms. */
  tokenFreshness: 1_000,
  /** Pause between two statements that store when tokens were last used, in ms. */
  tokenUseInterval: 5_000,
  /** Notes of uses and contacts in one statement. */
  notesPerWrite: 1_000,

  maxEventsPerRequest: 500,
  /** Greatest age of an event, in ms. */
  maxEventAge: 2 * DAY,
  /** Events that are checked in one turn of the event loop. */
  eventsPerSlice: 50,
  /** How long accepted events wait for others to be committed with them, in ms. */
  eventBatchDelay: 20,
  /** Events in one job of the queue, and in one statement that sends jobs. */
  eventsPerJob: 1_000,
  eventsPerCommit: 2_000,
  /** Events that a gateway holds until they are committed; it refuses more. */
  maxPendingEvents: 50_000,
  /** How long events may take to be committed before the request is refused, in ms. */
  eventTimeout: 1_750,
  /**
   * A gateway takes events from a restaurant's budget of a day (EVENTS_PER_DAY) in parts of the
   * budget ÷ this. Budgets that one statement grants.
   */
  eventGrantOneIn: 100,
  maxBudgetsPerGrant: 1_000,
  /** One client (IPv4 address or IPv6 /64) may store a restaurant's budget of a day ÷ this. */
  eventShareOneIn: 4,
  /**
   * Visitors that one client can be on a day at a restaurant, in each gateway: the guests of one Wi-Fi
   * share an address. Visitors that a gateway remembers for that; one takes about 100 bytes.
   */
  maxVisitorsPerClient: 1_000,
  maxRememberedVisitors: 200_000,
  /** Transactions of a worker that store jobs of events, at the same time. */
  eventBatchesAtOnce: 2,
  /**
   * Pause between the heartbeats of a worker that has jobs of events or writes, and after how long
   * without one another worker takes the jobs, in s; pg-boss demands at least 10.
   */
  jobHeartbeatSeconds: 3,
  jobHeartbeatExpirySeconds: 10,
  /** Days for which an event's id is remembered, so that a repeat counts nothing. */
  eventIdDays: 9,
  /** Texts of searches without result that are kept of a day, and their length in characters. */
  maxEmptySearchesPerDay: 100,
  maxEmptySearchLength: 60,
  /** Old ids of events that one statement deletes. */
  idsPerDeletion: 10_000,
  /** Length of the period of a report when none is asked for, in days. */
  defaultReportDays: 30,

  /**
   * Largest menu: a restaurant's records as JSON, with the winery repeated in each of its wines, in
   * bytes. That is about four thousand dishes in five languages. A gateway reads a menu in one
   * statement within `readStatementTimeout`, and blocks its event loop while it joins the parts.
   */
  maxMenuLength: 4 * 1_048_576,
  /** Levels of nested sections. */
  maxSectionDepth: 8,

  /** Longest Idempotency-Key of a write, in characters. */
  maxIdempotencyKeyLength: 255,
  /** Writes of one tenant that may wait; the next one is answered with 503. */
  maxWaitingWrites: 200,
  /** Writes of one tenant that share one transaction and one rebuild. */
  maxWritesPerRebuild: 25,
  /** How often a write is tried that ends in an unexpected error, before its result is 500. */
  maxWriteErrors: 3,
  /** The same where its time ran out: its worker was killed, or another held the tenant's lock. */
  maxWriteTimeouts: 30,
  /** Pause before a write is tried again, in s. */
  writeRetryDelaySeconds: 1,
  /**
   * How long a job of writes may take, and the transaction of a whole menu may be idle, in s. When a
   * worker is killed, the missing heartbeat ends its jobs sooner: `jobHeartbeatExpirySeconds`.
   */
  documentExpirySeconds: 60,
  /** Pause between two corrections of job times that lie in the future of Postgres' clock, in ms. */
  clockCheckInterval: 10_000,
  /**
   * Pause between two polls for jobs of restaurants, by all workers together, in ms, and between those
   * of a worker for other jobs, in s: a job whose notification was lost waits for one.
   */
  turnPoll: 2_000,
  otherPollSeconds: 10,
  /**
   * How long a work in slices may keep the event loop in its own turn, in ms. First slices of
   * others, bytes that arrive in the same turn, and collections come on top.
   */
  slice: 2,
  /** How long after its start a gateway loads what owners use, in ms: displays come first. */
  ownersLoadedAfter: 3_000,
  /** Records of a whole menu that one statement inserts or changes. */
  recordsPerStatement: 250,
  /** For so many days a menu for screens without network is good. */
  bundleDays: 30,

  /** Pause between two looks for restaurants with changes that are due, in ms. */
  clockInterval: 1_000,
  /** Such restaurants that one statement finds. */
  clockTenantsPerBatch: 1_000,
  /**
   * A worker reads the menus that change on their own within so many ms, and at most so many. The
   * pause between two looks for them, in ms.
   */
  dueSoon: 30_000,
  menusAhead: 1_000,
  dueSoonInterval: 5_000,

  /** A menu that nothing changes for so long becomes cold, in ms; workers look for some as often. */
  coldAfter: 60_000,
  /** Pause of an idle worker before each menu that it makes cold, in ms. */
  coolingPause: 40,
  /** Pause between a worker's start and its first housekeeping, in ms. */
  firstRoundAfter: 5_000,
  /** Days for which a deleted record can be restored. */
  purgeDays: 30,
  /** Rows that housekeeping deletes in one statement, and the pause between its rounds, in ms. */
  removalBatch: 500,
  housekeepingInterval: 600_000,

  /** Timeout of a statement that sends jobs, in ms. */
  sendStatementTimeout: 1_500,
  /** How long a gateway waits for a write's result before it answers 202, in ms. */
  writeTimeout: 5_000,
  /** When it flushes the commit of a write without a result, so that a 202 is kept, in ms. */
  writeSecuredAfter: 1_000,
  /** Pause between two polls for results whose notice was lost, in ms. */
  resultPoll: 500,
  /** How long a command waits until a worker has done its write, in ms. */
  commandWriteTimeout: 60_000,
  /** How long results and idempotency keys are kept, and results of unexpected errors, in hours. */
  resultHours: 24,
  faultHours: 24 * 30,

  /** Length from which on an answer that is made for one request is compressed, in bytes. */
  minCompressedBytes: 8_192,
  /** How long an unknown host is remembered, in ms. */
  unknownHostTtl: 5_000,

  /**
   * Entries of each cache that has one or two for every restaurant: slugs by Host header, budgets and
   * salts of events, and jobs that a gateway relies on. It is enough for 100,000 restaurants.
   */
  maxRememberedEntries: 200_000,
  /** Accept-Language headers in memory, in entries: each may have 1,024 characters. */
  maxRememberedLanguages: 2_000,

  /** Timeout of a gateway's statement in Postgres, in ms. */
  readStatementTimeout: 1_500,
  /** Timeout of a gateway's wait for a connection, in ms. */
  readConnectionTimeout: 1_500,
  /** How long after a statement's timeout its connection counts as lost, in ms. */
  answerGrace: 200,
  /** Timeout of a gateway's statement with its wait for a connection, in ms. */
  readTimeout: 1_750,
  /** Timeout of the replica's statements, and for how long it is not used after a failure, in ms. */
  replicaTimeout: 500,
  replicaRest: 5_000,
  /** Statements of a pool that wait or run; one more is refused. */
  maxStatements: 1_000,
  /** Connections of a gateway's pools: for reads, reports, the panel and the replica. */
  gatewayConnections: 7,
  gatewayReportConnections: 3,
  gatewayPanelConnections: 2,
  gatewayReplicaConnections: 4,
  /** Connections of a gateway that send jobs. */
  gatewayQueueConnections: 4,
  /** Connections of a worker: its own pool, and that of the queue, which runs the jobs. */
  workerConnections: 4,
  workerQueueConnections: 11,
  /** Timeouts of a worker's statements, and of its wait for a connection, in ms. */
  workerStatementTimeout: 15_000,
  workerConnectionTimeout: 10_000,
  /** How long a transaction may be idle before it is ended, in ms. */
  idleTimeout: 10_000,
  /** How long a client of a stream waits before it opens the next one, at random, in ms. */
  minStreamRetry: 2_000,
  maxStreamRetry: 15_000,
  /** The same after a stream that has grown old: these ends come at random already. */
  expiredStreamRetry: 100,
  /** Pause between the comments on a silent stream, and how long one lasts, at random, in ms. */
  streamCommentInterval: 25_000,
  minStreamAge: 5 * 60_000,
  maxStreamAge: 10 * 60_000,
  /** Streams of one client (IPv4 address or IPv6 /64) to one restaurant on one gateway. */
  maxStreamsPerClient: 1_000,
  /** Share of a gateway's streams that an IPv4 address or IPv6 /48 has. */
  clientStreamShare: 1 / 8,
  /** Streams of one gateway unless STREAMS_MAX says otherwise. */
  maxStreams: 100_000,

  /** Tenants whose snapshots a gateway refreshes at the same time. */
  maxRefreshes: 4,
  /** Pause between two checks whether the database was restored or failed over, in ms. */
  timelineInterval: 10_000,
  /** Pause before a gateway tries again to refresh a stale snapshot or to LISTEN, in ms. */
  retryDelay: 500,

  /** Length of a client's window of requests (SPEC, "Limits"), in ms. */
  limitWindow: 60_000,
  /**
   * Least time between two statements that count requests, in ms: when requests wait for one, when
   * the next request of a client would wait for it, and when it only reports what was admitted.
   */
  limitSyncInterval: 10,
  limitFullInterval: 200,
  limitReportInterval: 5_000,
  /** Windows in one such statement. */
  limitSyncBatch: 2_000,
  /** How long a request near its limit waits for Postgres before the gateway decides, in ms. */
  limitWaitTimeout: 200,
  /** Timeout of a statement that counts requests; then its connection counts as lost, in ms. */
  limitStatementTimeout: 2_000,
  /** All gateways together may exceed a limit by the limit ÷ this: 5 requests of 120. */
  limitLeakDivisor: 24,
  /** Pause between two deletions of ended windows, in ms, and windows that one deletes. */
  limitClearInterval: 1_000,
  limitClearBatch: 1_000,
  /** How often a gateway adds its requests to those of the day, in ms. */
  requestTallyInterval: 60_000,

  /** How long doctor waits for a notice and for the replica, in ms. */
  doctorTimeout: 5_000,
  ...documentConstants,
  ...turnConstants,
  ...panelConstants,
  ...releaseConstants,
  ...webhookConstants,
  ...hostConstants,
  ...photoConstants,
  ...screenConstants,

  /** Timeout of reading the queues' state for a worker's metrics, in ms. */
  queueStateTimeout: 1_000,

  /** Time between two log lines of the same fault, in ms. */
  faultRepeatInterval: 60_000,

  /** How long a gateway that stops still answers, in ms; its answers close their connections. */
  drainTime: 1_000,
  /**
   * When a process stops: how long it waits for requests and jobs in flight, how long everything
   * after them may take, and when `npm start` kills it, in ms.
   */
  stopTimeout: 10_000,
  stopReserve: 3_000,
  killAfter: 15_000,
};

export type Constants = Readonly<typeof defaults>;
export const constants: Constants = Object.freeze(defaults);
