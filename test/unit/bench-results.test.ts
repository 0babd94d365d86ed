// The data of the benchmarks and the report that is generated from them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { complaintOf, pairedRatio } from '../../bench/compare/paired-ratio.ts';
import { sumAtOnce } from '../../bench/processes/usage.ts';
import { renderReport } from '../../bench/report.ts';
import { atLeast, atMost, type Result } from '../../bench/result.ts';
import { readResults } from '../../bench/results-folder.ts';
import { readCalls } from '../../bench/scenarios/syscalls.ts';

/** The missed goals and their heads stand on a screen of so many lines. */
const MAX_GOAL_LINES = 30;

function resultWith(overrides: Partial<Result>): Result {
  return {
    ...{ scenario: 'cold', date: '2026-11-23', commit: 'abcdef0', machine: null, loadAverage: 0.5 },
    ...{ method: 'load by wrk', quick: false, findings: [], ...overrides },
  };
}

test('bench/RESULTS.md is what the generator makes of the committed data', () => {
  const file = new URL('../../bench/RESULTS.md', import.meta.url);
  const report = renderReport(readResults());
  assert.equal(readFileSync(file, 'utf8'), report, 'run: npm run bench -- report');
  const untilPeers = report.slice(0, report.indexOf('## Lavagna and other servers'));
  assert.ok(untilPeers.split('\n').length <= MAX_GOAL_LINES);
});

test('every stored goal says truly whether it was met', () => {
  const goals = readResults().flatMap(({ findings }) => findings.flatMap((one) => one.goals ?? []));
  assert.ok(goals.length > 0);
  for (const { text, measured, met, ...bound } of goals) {
    const expected =
      bound.atLeast === undefined
        ? atMost(text, measured, bound.atMost ?? Number.NaN)
        : atLeast(text, measured, bound.atLeast);
    assert.equal(met, expected.met, text);
  }
});

test('the report lists missed goals first, and those that are met at its end', () => {
  const good = { title: 'Hot', goals: [atMost('one more', 1, 2)] };
  const bad = [atLeast('the missed one', 1, 2), atMost('another', 3, 2)];
  const goals = [atMost('the met one', 1, 2), ...bad];
  const report = renderReport([
    resultWith({ scenario: 'items', findings: [good] }),
    resultWith({ findings: [{ title: 'Cold', goals }] }),
  ]);
  assert.match(report, /2 of 4 met/);
  const missed = '| cold | the missed one 1.00 (at least 2)<br>another 3.00 (at most 2) |';
  assert.ok(report.includes(`${missed}\n\nThe goals that are met`));
  assert.match(report, /\| items \| one more \| 1\.00 \| at most 2 \|\n\| cold \| the met one \|/);
});

const rowOf = (name: string, cpu: number) => ({
  ...{ name, core: 0.9, cpu: { median: cpu, low: cpu - 1, high: cpu + 1 } },
  ...{ requestsPerSecond: { median: 90_000 }, p50: { median: 1 } },
  ...{ p99: { median: 2 }, p999: { median: 3 } },
});

test('the report has a column for each other server, empty where it had no such load', () => {
  const hot = { title: 'Hot', rows: [rowOf('Lavagna', 10), rowOf('bare', 8)] };
  const big = { title: 'Big', rows: [rowOf('Lavagna', 20), rowOf('nginx', 10)] };
  const report = renderReport([resultWith({ findings: [hot, big] })]);
  assert.match(report, /\| × bare \| × nginx \|\n/);
  assert.ok(report.includes('| Hot | 10.0 (9.00–11.0) | 90,000 | 1.00 / 2.00 | 0.80 |  |\n'));
  assert.ok(report.includes('| Big | 20.0 (19.0–21.0) | 90,000 | 1.00 / 2.00 |  | 0.50 |\n'));
});

test('the report compares cases line by line, and joins what several scenarios have in common', () => {
  const cases = { title: 'Tenants', rows: [rowOf('few', 10), rowOf('many', 12)] };
  const report = renderReport([
    resultWith({ findings: [cases] }),
    resultWith({ scenario: 'items' }),
  ]);
  assert.match(report, /\| Tenants \| few \|.*\| 1\.00 \|\n\| {2}\| many \|.*\| 1\.20 \|\n/);
  assert.match(report, /\| cold, items \| 2026-11-23 \| abcdef0 \| 0\.5 \|/);
});

test('paired ratios have a 95 % interval by the sign test', () => {
  const before = Array.from({ length: 15 }, () => 10);
  const after = before.map((cost, round) => cost * (1 + (round - 7) / 100));
  const { median, low, high } = pairedRatio(before, after);
  // With 15 rounds the interval runs from the 4th to the 12th ratio.
  const rounded = [median, low, high].map((ratio) => ratio.toFixed(2));
  assert.deepEqual(rounded, ['1.00', '0.96', '1.04']);
  const six = pairedRatio([1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([six.median, six.low, six.high], [3.5, 1, 6]);
});

test('a change that costs more than 3 % is named, and a doubtful one says so', () => {
  assert.equal(complaintOf('hot /menu', { median: 1.03, low: 1.01, high: 1.05 }), null);
  const certain = complaintOf('hot /menu', { median: 1.05, low: 1.02, high: 1.08 });
  assert.match(certain ?? '', /^TOO EXPENSIVE: hot \/menu costs 5\.0 % more/);
  assert.doesNotMatch(certain ?? '', /repeat/);
  const doubtful = complaintOf('hot /menu', { median: 1.05, low: 0.98, high: 1.3 });
  assert.match(doubtful ?? '', /^PERHAPS TOO EXPENSIVE.*repeat with more --rounds/);
});

test('a summary of strace gives the calls of each name', () => {
  const summary = [
    '% time     seconds  usecs/call     calls    errors syscall',
    '------ ----------- ----------- --------- --------- ----------------',
    ' 61.29    0.112233           2     50000           sendto',
    ' 10.00    0.012233           1     40000        12 read',
    '------ ----------- ----------- --------- --------- ----------------',
    '100.00    0.124466           1     90000        12 total',
  ].join('\n');
  const calls = readCalls(summary);
  assert.deepEqual([...calls.keys()], ['sendto', 'read', 'total']);
  assert.deepEqual([...calls.values()], [50_000, 40_000, 90_000]);
});

test('CPU time of processes, one ends after its parent was read, is counted once', () => {
  const times = new Map([
    [1, 10],
    [2, 500],
  ]);
  const end = (pid: number) => {
    times.set(1, (times.get(1) ?? 0) + (times.get(pid) ?? 0));
    times.delete(pid);
  };
  const read = (pid: number) => {
    const own = times.get(pid) ?? null;
    if (pid === 1 && times.has(2)) end(2);
    return own;
  };
  const running = () => [...times.keys()];
  assert.equal(sumAtOnce(running, read), 510);
  times.clear();
  assert.throws(() => sumAtOnce(() => [1], read), /never stayed the same/);
});
