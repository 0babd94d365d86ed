import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { version } from './ops-server.ts';

/** Gauges of the library whose names say that they are counters. The gauges by kind stay. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/**
 * The metrics that every process has, among them its version (`lavagna_build_info`) and the event
 * loop's delay: `nodejs_eventloop_lag_p99_seconds`.
 *
 * @param lagInterval how often the event loop's delay is measured, in ms; an idle process has it as
 *   its delay. Every 10 ms takes 0.3 % of a core, every 50 ms 0.1 %.
 */
export function createProcessMetrics(lagInterval: number): Registry {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: lagInterval });
  for (const name of MISNAMED) metrics.removeSingleMetric(name);
  const help = 'Always 1; its label is the version that runs.';
  const labelNames = ['version'];
  new Gauge({ name: 'lavagna_build_info', help, labelNames, registers: [metrics] }).set(
    { version },
    1,
  );
  return metrics;
}
