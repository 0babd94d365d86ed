import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { bounds } from '../db/bounds.ts';
import type { Db } from '../db/connection.ts';
import { countEventJobs, type EventJobs } from '../db/queries/analytics/count-event-jobs.ts';
import { findQueueStates, type QueueState } from '../db/queries/find-queue-states.ts';

interface Backlog {
  queues: readonly QueueState[];
  events: EventJobs;
}

const UNKNOWN: Backlog = { queues: [], events: { waiting: Number.NaN, failed: Number.NaN } };

/** Reads how far the workers are behind, however often it is asked: once in a while. */
function createBacklogReader(db: Db): () => Promise<Backlog> {
  let known = Promise.resolve(UNKNOWN);
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<Backlog> => {
    const [queues, events] = await Promise.all([findQueueStates(db), countEventJobs(db)]);
    return { queues, events };
  };
  return () => {
    const now = performance.now();
    if (now - readAt >= bounds.queueStateAge) {
      readAt = now;
      // Whoever watches wants an answer, too, while Postgres gives none.
      const late = sleep(bounds.queueStateTimeout, UNKNOWN, { ref: false });
      known = Promise.race([read().catch(() => UNKNOWN), late]);
    }
    return known;
  };
}

function describeBacklog(metrics: Registry, read: () => Promise<Backlog>): void {
  const ofQueues = (name: string, help: string, field: 'waiting' | 'oldest') =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [metrics],
      async collect() {
        const { queues } = await read();
        this.reset();
        for (const queue of queues) this.set({ queue: queue.name }, queue[field]);
      },
    });
  ofQueues('lavagna_queue_jobs', 'Jobs that could run and wait.', 'waiting');
  ofQueues('lavagna_queue_oldest_job_seconds', 'Wait of the oldest of them.', 'oldest');
  const ofEvents = (name: string, help: string, field: keyof EventJobs) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        this.set((await read()).events[field]);
      },
    });
  ofEvents('lavagna_event_jobs', 'Jobs of events that are still to be done.', 'waiting');
  ofEvents('lavagna_event_jobs_failed', 'Jobs of events put aside for the operator.', 'failed');
}

/**
 * What a worker tells about itself and about the queues, which look the same from every worker; not
 * a number, or nothing, while Postgres does not answer.
 */
export function createMetrics(db: Db): Registry {
  const metrics = new Registry();
  // Among them the event loop's delay: nodejs_eventloop_lag_p99_seconds.
  collectDefaultMetrics({ register: metrics });
  describeBacklog(metrics, createBacklogReader(db));
  return metrics;
}
