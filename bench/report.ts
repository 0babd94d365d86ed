import { cpus, loadavg, release, totalmem } from 'node:os';
import type { Size } from './environment.ts';
import { hasWrk } from './load/wrk.ts';
import type { Row } from './measure/comparison.ts';
import type { Figure } from './measure/interval.ts';
import { pinned } from './processes/cores.ts';
import type { Finding, Goal } from './scenario.ts';

/** What else the machine was doing when this process began: near 0 when nothing. */
const loadBefore = loadavg()[0] ?? 0;

/** On what and when was measured, and how: one line. */
export function conditions(size: Pick<Size, 'rounds' | 'seconds'>, at: Date): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const machine = `${cpus().length} × ${cpu?.model.trim()}, ${memory} GB, Linux ${release()}`;
  const cores = pinned ? 'server and load on a core each' : 'cores not pinned';
  const driver = hasWrk ? 'load by wrk' : 'load by autocannon';
  const others = `load average ${loadBefore.toFixed(1)} before the start`;
  const rounds = `medians of ${size.rounds} × ${size.seconds} s, interleaved`;
  const date = at.toISOString().slice(0, 10);
  const measured = [cores, driver, rounds, others].join('; ');
  return `${date}, ${machine}, Node ${process.version}; ${measured}.`;
}

const whole = (value: number) => Math.round(value).toLocaleString('en-GB');

function precise(value: number): string {
  if (Math.abs(value) >= 100) return whole(value);
  return value.toPrecision(3);
}

function spread({ median, min, max }: Figure): string {
  return `${precise(median)} (${precise(min)}–${precise(max)})`;
}

/** CPU time of `row` for a request, divided by that of the first row: above 1 it costs more. */
export function costRatio(row: Row, first: Row): number {
  return row.cpu.median / first.cpu.median;
}

function table(rows: readonly Row[]): string[] {
  const [first] = rows;
  if (!first) return [];
  const head = ['', 'requests/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs/request', 'core', '×'];
  const lines = rows.map((row) => [
    row.name,
    whole(row.requestsPerSecond.median),
    ...[row.p50, row.p99, row.p999].map(({ median }) => precise(median)),
    spread(row.cpu),
    `${whole(row.busy * 100)} %`,
    costRatio(row, first).toFixed(2),
  ]);
  return [head, ['---', ...head.slice(1).map(() => '---:')], ...lines].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}

/** Whether the measured figure is where it was meant to be. */
export function isMet({ measured, atLeast, atMost }: Goal): boolean {
  return measured >= (atLeast ?? -Infinity) && measured <= (atMost ?? Infinity);
}

function goalLine(goal: Goal): string {
  const bound = goal.atLeast === undefined ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`;
  const verdict = isMet(goal) ? 'met' : '**not met**';
  return `- ${goal.text}: ${precise(goal.measured)}, goal ${bound}: ${verdict}`;
}

/** One finding as Markdown. */
export function renderFinding({ title, note, rows, facts, goals }: Finding): string {
  const factLines = facts?.map(([what, figure]) => `| ${what} | ${figure} |`) ?? [];
  const blocks = [
    [`### ${title}`],
    note === undefined ? [] : [note],
    table(rows ?? []),
    factLines.length === 0 ? [] : ['| | |', '| --- | ---: |', ...factLines],
    goals?.map(goalLine) ?? [],
  ];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n');
}
