import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../db/postgres/sql.ts';
import type { Constants } from '../db/runtime/constants.ts';
import { createProcessMetrics } from '../db/runtime/process-metrics.ts';
import { withTimeout } from '../db/runtime/running.ts';
import { findClockLate } from '../db/sql/clock.ts';
import { findFaultyWrites, findQueueStates, type QueueState } from '../db/sql/jobs.ts';
import { countRestaurants, type RestaurantCounts } from '../db/sql/restaurants.ts';

/** How often the process measures the delay of its event loop, in ms. */
const WORKER_LAG_INTERVAL = 50;

/** Greatest age of the queues’ state, in ms. */
const QUEUE_STATE_AGE = 5_000;

/** How far the workers are behind, and what they have given up; empty when that is unknown. */
interface Backlog {
  queues: readonly QueueState[];
  faultyWrites?: number;
  /** In s. */
  clockLate?: number;
  restaurants?: RestaurantCounts;
}
type StateConstants = Pick<Constants, 'queueStateTimeout'>;

interface MetricSources {
  db: Db;
  log: Logger;
  constants: StateConstants;
}

const UNKNOWN: Backlog = { queues: [] };

async function findBacklog(db: Db): Promise<Backlog> {
  const [queues, { count }, clockLate, restaurants] = await Promise.all([
    findQueueStates(db),
    findFaultyWrites(db),
    findClockLate(db),
    countRestaurants(db),
  ]);
  return { queues, faultyWrites: count, clockLate, restaurants };
}

/** Reads how far the workers are behind, at most once in `QUEUE_STATE_AGE` ms. */
function createBacklogReader(db: Db, log: Logger, constants: StateConstants) {
  let known: Promise<Backlog> = Promise.resolve(UNKNOWN);
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - readAt >= QUEUE_STATE_AGE) {
      readAt = now;
      const backlog = findBacklog(db).catch((error) => {
        log.warn({ err: error }, 'could not read how far the queues are behind');
        return UNKNOWN;
      });
      // Metrics are answered while Postgres is not.
      known = withTimeout(constants.queueStateTimeout, backlog, () => UNKNOWN);
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
  ofQueues(
    'lavagna_queue_jobs',
    'Jobs that wait to be run, again or for the first time.',
    'waiting',
  );
  ofQueues('lavagna_queue_oldest_job_seconds', 'Age of the oldest of them.', 'oldest');
  new Gauge({
    name: 'lavagna_restaurants',
    help: 'Restaurants that are served, and those that are suspended.',
    labelNames: ['state'],
    registers: [metrics],
    async collect() {
      const { restaurants } = await read();
      this.reset();
      for (const [state, count] of Object.entries(restaurants ?? {})) this.set({ state }, count);
    },
  });
  const ofAll = (name: string, help: string, field: 'faultyWrites' | 'clockLate') =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        const { [field]: value } = await read();
        this.remove();
        if (value !== undefined) this.set(value);
      },
    });
  ofAll(
    'lavagna_faulty_writes',
    'Writes of the last 24 hours that ended in an unexpected error.',
    'faultyWrites',
  );
  ofAll(
    'lavagna_clock_late_seconds',
    'How long the oldest change has been due that the clock has not published.',
    'clockLate',
  );
}

/**
 * The metrics of a worker and of the queues. The queues look the same from every worker, and their
 * metrics are missing while Postgres does not answer.
 */
export function createWorkerMetrics({ db, log, constants }: MetricSources): Registry {
  const metrics = createProcessMetrics(WORKER_LAG_INTERVAL);
  describeBacklog(metrics, createBacklogReader(db, log, constants));
  return metrics;
}
