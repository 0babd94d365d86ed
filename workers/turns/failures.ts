import type { JobWithMetadata } from 'pg-boss';
import { isContention } from '../../db/postgres/outage.ts';
import { constants } from '../../db/runtime/constants.ts';

/** The error text of pg-boss for a job that was not finished in its time. */
const TIMEOUT = /job timed out|job heartbeat timeout/;

/**
 * Whether the queue has handed out a job so often that its write must be at fault. Its last failure
 * decides how often that is: a timeout or contention may say nothing about the write, because a worker
 * was killed, or others were in the way. Outages are not counted: see `start-turns.ts`.
 */
export function hasFailedTooOften({
  retryCount,
  output,
}: Pick<JobWithMetadata, 'retryCount' | 'output'>): boolean {
  if (!output) return false;
  const saysLittle = TIMEOUT.test(JSON.stringify(output)) || isContention(output);
  return retryCount >= (saysLittle ? constants.maxWriteTimeouts : constants.maxWriteErrors);
}
