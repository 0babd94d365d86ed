// Runs on the host of Lavagna for main.ts: starts all, runs the drills, prints and writes the result.
import { setTimeout as sleep } from 'node:timers/promises';
import { renderFinding, tableOf } from '../../bench/measure/tables.ts';
import { atMost, type Finding } from '../../bench/result.ts';
import { resultOf, writeResult } from '../../bench/results-folder.ts';
import { networkOf } from '../faults/hosts/network.ts';
import { startCluster } from './cluster.ts';
import { startCpuWait } from './cpu-wait.ts';
import { DRILL_NAMES } from './drill-names.ts';
import { type Drill, type DrilledCluster, drills } from './drills.ts';
import { HOSTS } from './hosts.ts';
import { type Lavagna, startLavagna } from './lavagna.ts';
import { type LoadReport, startLoad } from './load.ts';
import { SCOPE } from './settings.ts';
import { startTimeline } from './timeline.ts';

/** Load after the cluster is whole again, in ms. */
const SETTLE_MS = 3_000;
/** Seconds from the new primary to the first accepted write. */
const GOAL_SECONDS = 5;

interface Outcome extends LoadReport {
  title: string;
  /** Seconds without a primary, or without the proxy. */
  away: number;
  /** Seconds from then to the first write, and the first event, that was promised. */
  writesBack: number;
  eventsBack: number;
}

const started = performance.now();

function progress(line: string): void {
  const seconds = (performance.now() - started) / 1_000;
  process.stderr.write(`${seconds.toFixed(0).padStart(5)} s  ${line}\n`);
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

async function conduct(drill: Drill, drilled: DrilledCluster, lavagna: Lavagna): Promise<Outcome> {
  const load = await startLoad(lavagna, drilled.cluster.sessionUrl);
  const gatewaysWait = startCpuWait(lavagna.gateways);
  const workersWait = startCpuWait(lavagna.workers);
  progress(`${drill.title} (${drilled.primary} takes writes) …`);
  const begun = performance.now();
  await drill.suffer(drilled);
  const back = performance.now();
  const timeline = startTimeline(drilled.cluster);
  const [writesBack, eventsBack] = await Promise.all([
    load.untilWritten(back),
    load.untilCounted(back),
  ]);
  await drill.mend(drilled);
  await drilled.cluster.untilWhole();
  await sleep(SETTLE_MS);
  for (const [step, ms] of await timeline.stop()) {
    progress(`  ${(ms / 1_000).toFixed(1)} s to ${step}`);
  }
  const shares = `gateways ${percent(gatewaysWait())}, workers ${percent(workersWait())}`;
  progress(`  of the time, the main threads waited for a CPU: ${shares}`);
  progress('  whole again; the promises are counted');
  const report = await load.stop();
  return {
    ...{ title: drill.title, away: (back - begun) / 1_000 },
    ...{ writesBack: writesBack / 1_000, eventsBack: eventsBack / 1_000, ...report },
  };
}

function cells({ title, away, writesBack, eventsBack, ...report }: Outcome): string[] {
  const { writes, events, reads, streams } = report;
  return [
    ...[title, away.toFixed(1), writesBack.toFixed(1), eventsBack.toFixed(1)],
    `${writes.promised}: ${writes.missing} / ${writes.surplus} / ${writes.unanswered}`,
    `${events.promised}: ${events.missing} / ${events.surplus} / ${events.unanswered}`,
    `${reads.sent}: ${reads.lost + reads.refused}`,
    `${streams.events} on ${streams.opened}: ${streams.wentBack}`,
  ];
}

const HEAD = [
  ...['what happens', 's without a way to a primary'],
  ...['s to the first write', 's to the first event'],
  ...['writes: missing / doubled / given up', 'events: missing / too many / given up'],
  ...['reads from memory: failed', 'versions on streams: went back'],
];

function strangeOf({ writes, events, reads }: LoadReport): string[] {
  const failure = reads.firstFailure === '' ? [] : [reads.firstFailure];
  return [...new Set([...writes.strange, ...events.strange, ...failure])].slice(0, 5);
}

function findingOf(outcomes: readonly Outcome[]): Finding {
  const sum = (pick: (one: Outcome) => number) =>
    outcomes.reduce((total, one) => total + pick(one), 0);
  const broken = sum(({ writes, events }) => {
    return writes.missing + writes.surplus + events.missing + events.surplus;
  });
  const failed = sum(({ reads, streams }) => reads.lost + reads.refused + streams.wentBack);
  const slowest = Math.max(...outcomes.map(({ writesBack }) => writesBack));
  return {
    title: 'Patroni, HAProxy and PgBouncer: seconds to the first write after …',
    figures: outcomes.map(({ title, writesBack }) => {
      return { name: title, unit: 's', median: writesBack };
    }),
    goals: [
      atMost('cluster: 2xx writes and 202 events that are not there exactly once', broken, 0),
      atMost('cluster: failed reads from memory and streams that go back', failed, 0),
      atMost('cluster: seconds from a primary to the first write, slowest', slowest, GOAL_SECONDS),
    ],
  };
}

/** Warnings of the processes, without repeats. */
function warnings({ gateways, workers }: Lavagna): string[] {
  const lines = [...gateways, ...workers].flatMap((one) => one.output().split('\n'));
  const messages = lines.flatMap((line) => {
    if (!/"level":[456]0/.test(line)) return [];
    const { name, msg, err } = JSON.parse(line);
    return `${name}: ${msg}${err ? ` (${err.message})` : ''}`;
  });
  return [...new Set(messages)].sort();
}

const [folder = '', ...names] = process.argv.slice(2);
const chosen = names.length === 0 ? DRILL_NAMES : names;
const network = networkOf(HOSTS);
progress('starting etcd, Patroni, Postgres, HAProxy and PgBouncer');
const cluster = await startCluster(network, folder);
progress('starting four gateways and two workers');
const lavagna = await startLavagna(cluster);
const outcomes: Outcome[] = [];
for (const name of chosen) {
  const primary = await cluster.untilWhole();
  const drill = drills[name] as Drill;
  const outcome = await conduct(drill, { network, cluster, primary }, lavagna);
  outcomes.push(outcome);
  for (const line of strangeOf(outcome)) progress(`  strange: ${line}`);
  for (const line of outcome.writes.lacking) progress(`  missing: ${line}`);
  if (outcome.writes.missing > 0) progress(await cluster.control('history', SCOPE));
}
const finding = findingOf(outcomes);
console.log(`${tableOf(HEAD, outcomes.map(cells)).join('\n')}\n\n${renderFinding(finding)}\n`);
console.log(warnings(lavagna).join('\n'));
const isPartial = names.length > 0;
const result = resultOf('cluster', [finding], '', isPartial);
const method = 'node --import tsx test/cluster/main.ts; 12 restaurants, one run of each drill';
console.log(`Written to ${writeResult({ ...result, method })}.`);
process.exit(finding.goals?.every(({ met }) => met) ? 0 : 1);
