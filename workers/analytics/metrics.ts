import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../db/connection.ts';
import { countEventJobs, type EventJobs } from '../../db/queries/analytics/count-event-jobs.ts';

/** Tells how far the workers are behind with events; not a number while Postgres does not answer. */
export function addEventMetrics(metrics: Registry, db: Db): void {
  const gauge = (name: string, help: string, field: keyof EventJobs) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        const unknown = { waiting: Number.NaN, failed: Number.NaN };
        const jobs = await countEventJobs(db).catch(() => unknown);
        this.set(jobs[field]);
      },
    });
  gauge('lavagna_event_jobs', 'Jobs of events that are still to be done.', 'waiting');
  gauge('lavagna_event_jobs_failed', 'Jobs of events put aside for the operator.', 'failed');
}
