import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { CountedLimits } from './limits/counted-limits.ts';
import type { DerivedAnswers } from './snapshots/derived-answers.ts';
import type { SnapshotStore } from './snapshots/store.ts';

/** What a gateway tells about itself, read at the moment it is asked. */
export function createMetrics(
  store: SnapshotStore,
  answers: DerivedAnswers,
  counted: CountedLimits,
  pendingEvents: () => number,
): Registry {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(read());
      },
    });
  gauge('lavagna_snapshot_cache_bytes', 'Memory that snapshots take.', () => store.stats().bytes);
  gauge('lavagna_snapshots', 'Snapshots in memory.', () => store.stats().snapshots);
  gauge('lavagna_derived_cache_bytes', 'Memory of answers joined on demand.', answers.bytes);
  const { stats } = counted;
  gauge('lavagna_limit_windows', 'Limit windows in memory.', () => stats().windows);
  gauge('lavagna_limit_windows_evicted', 'Windows that gave way early.', () => stats().evicted);
  gauge('lavagna_limit_statements', 'Statements that counted requests.', () => stats().statements);
  gauge('lavagna_limit_alone', '1 while limits are decided without Postgres.', () =>
    Number(stats().alone),
  );
  gauge('lavagna_pending_events', 'Events accepted but not yet committed.', pendingEvents);
  return metrics;
}
