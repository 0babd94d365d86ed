import { Counter, Gauge, type Registry } from 'prom-client';
import { createProcessMetrics } from '../db/runtime/process-metrics.ts';
import type { Intake } from './analytics/intake.ts';
import type { CertificateWatch } from './http/certificate-watch.ts';
import type { DerivedAnswers } from './http/derived-answers.ts';
import type { CountedLimits } from './limits/counted-limits.ts';
import type { Traffic } from './pipeline/traffic.ts';
import { describeTraffic } from './pipeline/traffic-metrics.ts';
import type { SnapshotStore } from './snapshots/store.ts';
import type { LiveMenus } from './stream/live-menus.ts';

/** How often the process measures the delay of its event loop, in ms. */
const GATEWAY_LAG_INTERVAL = 10;

interface MetricSources {
  traffic: Traffic;
  store: Pick<SnapshotStore, 'stats' | 'oldest'>;
  /** Bound of the memory of its snapshots, in bytes. */
  storeBytes: number;
  answers: Pick<DerivedAnswers, 'bytes'>;
  limits: Pick<CountedLimits, 'stats'>;
  liveMenus: Pick<LiveMenus, 'stats'>;
  maxStreams: number;
  events: Intake['stats'];
  isListening: () => boolean;
  /** Of the gateway itself; undefined where it speaks plain HTTP. */
  certificate: Pick<CertificateWatch, 'end'> | undefined;
}

/** Figures that are read when the metrics are asked for. */
function createFigures(metrics: Registry) {
  return {
    gauge: (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers: [metrics],
        collect() {
          this.set(read());
        },
      }),
    counter: (name: string, help: string, read: () => number) =>
      new Counter({
        name,
        help,
        registers: [metrics],
        collect() {
          this.reset();
          this.inc(read());
        },
      }),
  };
}

function describeStreams(metrics: Registry, { liveMenus, maxStreams }: MetricSources): void {
  const { gauge, counter } = createFigures(metrics);
  gauge('lavagna_streams', 'Open streams of displays.', () => liveMenus.stats().open);
  gauge('lavagna_streams_max', 'Streams that may be open.', () => maxStreams);
  counter('lavagna_stream_events_total', 'Versions told.', () => liveMenus.stats().events);
  new Counter({
    name: 'lavagna_streams_closed_total',
    help: 'Streams that have ended.',
    labelNames: ['reason'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(liveMenus.stats().closed)) {
        this.inc({ reason }, count);
      }
    },
  });
}

/** A gateway's metrics. No label names a tenant, a host or an address. */
export function createGatewayMetrics(sources: MetricSources): Registry {
  const { traffic, store, storeBytes, answers, limits, events, certificate } = sources;
  const metrics = createProcessMetrics(GATEWAY_LAG_INTERVAL);
  const { gauge, counter } = createFigures(metrics);
  describeTraffic(metrics, traffic);

  const held = store.stats;
  gauge('lavagna_snapshots', 'Snapshots in memory.', () => held().snapshots);
  gauge('lavagna_snapshot_cache_bytes', 'Memory that snapshots take.', () => held().bytes);
  gauge('lavagna_snapshot_cache_max_bytes', 'Memory that snapshots may take.', () => storeBytes);
  counter('lavagna_snapshot_hits_total', 'Requests whose snapshot was there.', () => held().hits);
  counter('lavagna_snapshot_misses_total', 'Requests that waited for one.', () => held().misses);
  counter('lavagna_snapshot_evictions_total', 'Snapshots that gave way.', () => held().evicted);
  gauge(
    'lavagna_snapshot_oldest_build_timestamp_seconds',
    'When the oldest snapshot in memory was built; not a number when there is none.',
    () => store.oldest() / 1_000,
  );
  gauge('lavagna_derived_cache_bytes', 'Memory of answers joined on demand.', answers.bytes);

  const counted = limits.stats;
  gauge('lavagna_limit_windows', 'Limit windows in memory.', () => counted().windows);
  counter('lavagna_limit_evictions_total', 'Windows that gave way early.', () => counted().evicted);
  counter('lavagna_limit_statements_total', 'Statements that counted.', () => counted().statements);
  gauge('lavagna_limit_alone', '1 while limits are decided without Postgres.', () =>
    Number(counted().alone),
  );

  describeStreams(metrics, sources);
  gauge(
    'lavagna_certificate_end_timestamp_seconds',
    'When the certificate that the gateway serves ends; not a number when it speaks plain HTTP.',
    () => certificate?.end() ?? Number.NaN,
  );
  gauge('lavagna_listening', '1 while changes are announced to this gateway.', () =>
    Number(sources.isListening()),
  );
  gauge('lavagna_pending_events', 'Events not yet committed.', () => events().pending);
  counter('lavagna_events_accepted_total', 'Events committed.', () => events().accepted);
  counter(
    'lavagna_event_refusals_total',
    'Requests with events refused (429) because the restaurant had spent its EVENTS_PER_DAY.',
    () => events().refused,
  );
  return metrics;
}
