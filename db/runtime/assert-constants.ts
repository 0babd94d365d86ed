import type { Constants } from './constants.ts';
import { DAY } from './day.ts';

/** Every process calls it before it starts. @throws Error when constants contradict each other */
export function assertConstants(constants: Constants): void {
  const { drainTime, stopTimeout, stopReserve, answerGrace, readTimeout } = constants;
  const { limitSyncInterval, limitFullInterval, limitReportInterval } = constants;
  const { limitWaitTimeout, limitStatementTimeout } = constants;
  // Each running turn and batch of events holds a connection of the queue, and so do the turns beside
  // them and a rebuild. The queue needs others to fetch and to settle.
  const held = constants.turnsInParallel + constants.eventBatchesAtOnce + 3;
  const contradictions = {
    'defaultPerPage exceeds maxPerPage': constants.defaultPerPage > constants.maxPerPage,
    'a process could be killed while it stops':
      drainTime + stopTimeout + stopReserve + answerGrace >= constants.killAfter,
    'one client could use all memory for bodies':
      constants.maxBodiesBytesPerClient >= constants.maxBodiesBytes,
    'one client could keep all others from signing in':
      constants.maxSignInsPerClient >= constants.maxSignIns,
    'a flood at one restaurant could keep the owners of the others from signing in':
      constants.maxSignInsPerRestaurant >= constants.maxSignIns,
    'one client could keep the owner of a restaurant from signing in':
      constants.maxSignInsPerClient >= constants.maxSignInsPerRestaurant,
    'a screen that is there could seem to be away':
      constants.screenSilentAfter <= constants.maxStreamAge + constants.maxStreamRetry,
    'owners could be told of a screen whose stream is open':
      constants.screenTellAfter < constants.screenGoneAfter,
    'a list of dishes could have more fields than a form may':
      constants.maxFormFields < 3 * constants.maxListedDishes + 100,
    'a restaurant could have active tokens that the panel does not list':
      constants.maxActiveTokens > constants.maxListedTokens,
    // An event's id must be remembered for as long as a repeat of the event would be accepted.
    'eventIdDays is shorter than maxEventAge':
      constants.eventIdDays * DAY < constants.maxEventAge + 2 * DAY,
    'the visitors of one client could fill the memory of all':
      10 * constants.maxVisitorsPerClient > constants.maxRememberedVisitors,
    'a request may have more events than a commit':
      constants.maxEventsPerRequest > constants.eventsPerCommit,
    'one lost heartbeat would take the jobs from a healthy worker':
      2 * constants.jobHeartbeatSeconds >= constants.jobHeartbeatExpirySeconds,
    'maxWritesPerRebuild exceeds maxWaitingWrites':
      constants.maxWritesPerRebuild > constants.maxWaitingWrites,
    'running jobs leave the queue no connection': held >= constants.workerQueueConnections,
    // Whether a write was sent must be known while its client still waits.
    'a write could be sent after its client was told that it was not':
      constants.sendStatementTimeout >= constants.writeTimeout,
    'a 202 could come later than it should':
      constants.writeSecuredAfter + readTimeout >= constants.writeTimeout,
    // An end is looked for when a comment is due.
    'a stream could last longer than maxStreamAge':
      constants.minStreamAge + constants.streamCommentInterval > constants.maxStreamAge,
    'requests that wait would be counted later than others':
      limitSyncInterval > limitFullInterval || limitFullInterval > limitReportInterval,
    // A failure must be known within the two seconds that its client is promised.
    'a refusal could take longer than two seconds':
      limitWaitTimeout + Math.max(readTimeout, constants.eventTimeout) >= 2_000,
    'a request near its limit could not wait for the statement that counts it':
      limitSyncInterval >= limitWaitTimeout || limitWaitTimeout >= limitStatementTimeout,
  };
  for (const [contradiction, isThere] of Object.entries(contradictions)) {
    if (isThere) throw new Error(contradiction);
  }
}
