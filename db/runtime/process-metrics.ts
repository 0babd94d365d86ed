import { collectDefaultMetrics, Registry } from 'prom-client';

/** Gauges of the library whose names say that they are counters. The gauges by kind stay. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/**
 * The metrics that every process has, among them the event loop's delay:
 * `nodejs_eventloop_lag_p99_seconds`.
 */
export function createProcessMetrics(): Registry {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  for (const name of MISNAMED) metrics.removeSingleMetric(name);
  return metrics;
}
