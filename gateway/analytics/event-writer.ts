import type { PgBoss } from 'pg-boss';
import { throwOverdue } from '../../db/postgres/outage.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { stopOnce, withTimeout } from '../../db/runtime/running.ts';
import { type AcceptedEvent, toEventColumns } from '../../db/schema/event.ts';
import { queues } from '../../db/schema/queues.ts';
import { UnavailableError, unavailable } from '../http/errors.ts';
import { createBatcher } from '../runtime/batcher.ts';

interface Request {
  events: readonly AcceptedEvent[];
  /** How long they may take, in ms. */
  patience: number;
}

function toJobs(events: readonly AcceptedEvent[]) {
  const { eventsPerJob } = constants;
  const jobs = [];
  for (let start = 0; start < events.length; start += eventsPerJob) {
    jobs.push({ data: toEventColumns(events.slice(start, start + eventsPerJob)) });
  }
  return jobs;
}

/**
 * Puts accepted events into the queue, those of many requests in one commit.
 *
 * @param boss started
 */
export function createEventWriter(boss: PgBoss, { eventTimeout }: Pick<Constants, 'eventTimeout'>) {
  /** Requests whose events are not on their way yet. */
  const waiting = new Set<Request>();
  const underWay = new Set<Promise<void>>();
  let pending = 0;
  let accepted = 0;

  const commit = async (requests: readonly Request[]) => {
    for (const request of requests) waiting.delete(request);
    const events = requests.flatMap((request) => request.events);
    const jobs = toJobs(events);
    const sent = boss.insert(queues.analyticsEvents, jobs, { returnId: false });
    const release = () => {
      pending -= events.length;
    };
    // A statement that is late still holds its events: only its end makes room for others.
    sent.then(release, release);
    await withTimeout(eventTimeout, sent, throwOverdue);
    accepted += events.length;
    return requests.map(() => undefined);
  };
  const keep = createBatcher<Request, void>(
    {
      maxItems: constants.eventsPerCommit,
      sizeOf: ({ events }) => events.length,
      timeout: eventTimeout,
      timeoutOf: ({ patience }) => patience,
      pause: constants.eventBatchDelay,
    },
    commit,
  );

  const away = unavailable('could not queue events');
  const write = async (request: Request) => {
    const { events } = request;
    if (pending + events.length > constants.maxPendingEvents) {
      throw new UnavailableError('too many events wait to be queued');
    }
    pending += events.length;
    waiting.add(request);
    await keep(request).catch((cause) => {
      if (waiting.delete(request)) pending -= events.length;
      return away(cause);
    });
  };
  return {
    /**
     * Resolves when the events have been committed.
     *
     * @param patience how long they may take for it, in ms, their wait for other commits included
     * @throws UnavailableError when there are too many before them, or Postgres does not take them in
     *   time; those that were on their way to it then may nevertheless have been kept
     */
    write: (events: readonly AcceptedEvent[], patience: number) => {
      const kept = write({ events, patience });
      underWay.add(kept);
      const leave = () => underWay.delete(kept);
      kept.then(leave, leave);
      return kept;
    },
    /** Events that are not yet committed, and those that were since the start. */
    stats: () => ({ pending, accepted }),
    // Waits until what is pending is committed.
    ...stopOnce(async () => {
      await Promise.allSettled(underWay);
    }),
  };
}
