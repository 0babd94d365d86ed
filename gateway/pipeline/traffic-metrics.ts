import { Counter, type Histogram, type Registry } from 'prom-client';
import { BUCKETS, METHODS, type Tally, type Traffic } from './traffic.ts';

const MS_PER_SECOND = 1_000;

const DURATION = 'lavagna_http_request_duration_seconds';

/** A route's durations as the lines of a Prometheus histogram, whose buckets contain one another. */
function histogramLines(route: string, { durations, total }: Tally) {
  let count = 0;
  const buckets = durations.map((inBucket, index) => {
    count += inBucket;
    const bound = BUCKETS[index];
    const le = bound === undefined ? '+Inf' : bound / MS_PER_SECOND;
    return { metricName: `${DURATION}_bucket`, labels: { le, route }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${DURATION}_sum`, labels: { route }, value: total / MS_PER_SECOND },
    { metricName: `${DURATION}_count`, labels: { route }, value: count },
  ];
}

/** prom-client's own histogram takes durations one by one, and not what is counted already. */
function durationHistogram(tallies: ReadonlyMap<string, Tally>): Histogram {
  const histogram = {
    name: DURATION,
    get: async () => ({
      name: DURATION,
      help: 'Time from a request to its answer, without sending it.',
      type: 'histogram',
      aggregator: 'sum',
      values: [...tallies].flatMap(([route, tally]) => histogramLines(route, tally)),
    }),
  };
  return histogram as unknown as Histogram;
}

function describeRequests(metrics: Registry, tallies: ReadonlyMap<string, Tally>): void {
  new Counter({
    name: 'lavagna_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['route', 'method', 'status'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [route, { answers }] of tallies) {
        for (const [line, counts] of answers) {
          const status = line.slice(0, 3);
          counts.forEach((count, index) => {
            const method = METHODS[index]?.toUpperCase() ?? '';
            if (count > 0) this.inc({ route, method, status }, count);
          });
        }
      }
    },
  });
}

/** It has no labels, so that it is there before the first error and alerts see it rise from 0 to 1. */
function describeErrors(metrics: Registry, tallies: ReadonlyMap<string, Tally>): void {
  new Counter({
    name: 'lavagna_server_errors_total',
    help: 'Requests answered 500.',
    registers: [metrics],
    collect() {
      this.reset();
      for (const { answers } of tallies.values()) {
        for (const [line, counts] of answers) {
          if (line.startsWith('500')) for (const count of counts) this.inc(count);
        }
      }
    },
  });
}

/** Adds the counts of a gateway's answers to its metrics; they take their form when they are asked for. */
export function describeTraffic(metrics: Registry, { tallies, refusals }: Traffic): void {
  describeRequests(metrics, tallies);
  describeErrors(metrics, tallies);
  metrics.registerMetric(durationHistogram(tallies));
  new Counter({
    name: 'lavagna_limit_refusals_total',
    help: 'Requests refused by a limiter (429).',
    labelNames: ['limiter'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [limiter, count] of refusals) this.inc({ limiter }, count);
    },
  });
}
