import type { PgBoss } from 'pg-boss';
import { throwOverdue } from '../../db/postgres/outage.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { withTimeout } from '../../db/runtime/with-timeout.ts';
import { type AcceptedEvent, toColumns } from '../../db/schema/event-job.ts';
import { queues } from '../../db/schema/queues.ts';
import { UnavailableError, unavailable } from '../http/errors.ts';

/** Puts accepted events into the queue, those of many requests in one commit. */
export interface EventWriter {
  /**
   * Resolves when the events have been committed.
   *
   * @param patience how long they may take for it, in ms, their wait for other commits included
   * @throws UnavailableError when there are too many before them, or Postgres does not take them in
   *   time; those that were on their way to it then may nevertheless have been kept
   */
  write(events: readonly AcceptedEvent[], patience: number): Promise<void>;
  /** Events that are not yet committed, and those that were since the start. */
  stats(): { pending: number; accepted: number };
  /** Commits what is pending; harmless when repeated. */
  stop(): Promise<void>;
}

interface Waiting {
  events: readonly AcceptedEvent[];
  resolve(): void;
  reject(error: unknown): void;
}

/** The first of `waiting` that fit into one commit; they leave the list. */
function takeCommit(waiting: Waiting[], eventsPerCommit: number): Waiting[] {
  let events = 0;
  const end = waiting.findIndex((request) => {
    events += request.events.length;
    return events > eventsPerCommit;
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

function toJobs(events: readonly AcceptedEvent[], eventsPerJob: number) {
  const jobs = [];
  for (let start = 0; start < events.length; start += eventsPerJob) {
    jobs.push({ data: toColumns(events.slice(start, start + eventsPerJob)) });
  }
  return jobs;
}

type EventConstants = Pick<
  Constants,
  'eventsPerCommit' | 'eventsPerJob' | 'eventTimeout' | 'eventBatchDelay' | 'maxPendingEvents'
>;

/** @param boss started */
export function createEventWriter(boss: PgBoss, constants: EventConstants): EventWriter {
  const waiting: Waiting[] = [];
  let pending = 0;
  let accepted = 0;
  let timer: NodeJS.Timeout | undefined;
  let committing: Promise<void> | undefined;

  const commit = async () => {
    const requests = takeCommit(waiting, constants.eventsPerCommit);
    const events = requests.flatMap((request) => request.events);
    const jobs = toJobs(events, constants.eventsPerJob);
    const sent = boss.insert(queues.analyticsEvents, jobs, { returnId: false });
    const release = () => {
      pending -= events.length;
    };
    // A statement that is late still holds its events: only its end makes room for others.
    sent.then(release, release);
    try {
      await withTimeout(constants.eventTimeout, sent, throwOverdue);
      accepted += events.length;
      for (const { resolve } of requests) resolve();
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  };
  const commitAll = async () => {
    while (waiting.length > 0) await commit();
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    committing ??= commitAll().finally(() => {
      committing = undefined;
    });
    return committing;
  };

  const withdraw = (request: Waiting) => {
    const place = waiting.indexOf(request);
    if (place === -1) return;
    waiting.splice(place, 1);
    pending -= request.events.length;
  };

  const away = unavailable('could not queue events');
  return {
    write: async (events, patience) => {
      if (pending + events.length > constants.maxPendingEvents) {
        throw new UnavailableError('too many events wait to be queued');
      }
      pending += events.length;
      let withdrawOwn = () => {};
      const kept = new Promise<void>((resolve, reject) => {
        const request = { events, resolve, reject };
        waiting.push(request);
        withdrawOwn = () => withdraw(request);
      });
      timer ??= setTimeout(() => void flush(), constants.eventBatchDelay);
      await withTimeout(patience, kept, throwOverdue).catch((cause) => {
        withdrawOwn();
        return away(cause);
      });
    },
    stats: () => ({ pending, accepted }),
    stop: async () => {
      while (waiting.length > 0 || committing !== undefined) await flush();
    },
  };
}
