import type { Constants } from './constants.ts';
import { DAY } from './day.ts';

/** Every process calls it before it starts. @throws Error when constants contradict each other */
export function assertConstants(constants: Constants): void {
  if (constants.defaultPerPage > constants.maxPerPage) {
    throw new Error('defaultPerPage exceeds maxPerPage');
  }
  const { drainTime, stopTimeout, stopReserve, answerGrace } = constants;
  if (drainTime + stopTimeout + stopReserve + answerGrace >= constants.killAfter) {
    throw new Error('a process could be killed while it stops');
  }
  if (constants.maxBodiesBytesPerClient >= constants.maxBodiesBytes) {
    throw new Error('one client could use all memory for bodies');
  }
  if (constants.maxSignInsPerClient >= constants.maxSignIns) {
    throw new Error('one client could keep all others from signing in');
  }
  if (constants.maxSignInsPerRestaurant >= constants.maxSignIns) {
    throw new Error(
      'a flood at one restaurant could keep the owners of the others from signing in',
    );
  }
  if (constants.maxSignInsPerClient >= constants.maxSignInsPerRestaurant) {
    throw new Error('one client could keep the owner of a restaurant from signing in');
  }
  if (constants.maxActiveTokens > constants.maxListedTokens) {
    throw new Error('a restaurant could have active tokens that the panel does not list');
  }
  // An event's id must be remembered for as long as a repeat of the event would be accepted.
  if (constants.eventIdDays * DAY < constants.maxEventAge + 2 * DAY) {
    throw new Error('eventIdDays is shorter than maxEventAge');
  }
  if (constants.maxEventsPerRequest > constants.eventsPerCommit) {
    throw new Error('a request may have more events than a commit');
  }
  if (2 * constants.eventHeartbeatSeconds >= constants.eventHeartbeatExpirySeconds) {
    throw new Error('one lost heartbeat would take the jobs from a healthy worker');
  }
  if (constants.maxWritesPerRebuild > constants.maxWaitingWrites) {
    throw new Error('maxWritesPerRebuild exceeds maxWaitingWrites');
  }
  // Each running write and batch of events holds a connection of the queue, and so do a rebuild and
  // the end of a time of being sold out. The queue needs others to fetch and to settle.
  const held =
    constants.turnsInParallel +
    constants.longTurnsInParallel +
    constants.writeJobsInParallel +
    constants.eventBatchesAtOnce +
    2;
  if (held >= constants.workerQueueConnections) {
    throw new Error('running jobs leave the queue no connection');
  }
  // Whether a write was sent must be known while its client still waits.
  if (constants.sendStatementTimeout >= constants.writeTimeout) {
    throw new Error('a write could be sent after its client was told that it was not');
  }
  if (constants.writeSecuredAfter + constants.readTimeout >= constants.writeTimeout) {
    throw new Error('a 202 could come later than it should');
  }
  // An end is looked for when a comment is due.
  if (constants.minStreamAge + constants.streamCommentInterval > constants.maxStreamAge) {
    throw new Error('a stream could last longer than maxStreamAge');
  }
  const { limitSyncInterval, limitReportInterval } = constants;
  if (limitSyncInterval > limitReportInterval) {
    throw new Error('requests that wait would be counted later than others');
  }
  const { limitWaitTimeout, limitStatementTimeout } = constants;
  // A failure must be known within the two seconds that its client is promised.
  if (limitWaitTimeout + Math.max(constants.readTimeout, constants.eventTimeout) >= 2_000) {
    throw new Error('a refusal could take longer than two seconds');
  }
  if (limitSyncInterval >= limitWaitTimeout || limitWaitTimeout >= limitStatementTimeout) {
    throw new Error('a request near its limit could not wait for the statement that counts it');
  }
}
