import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decimals, medianText, tableOf, whole } from './measure/tables.ts';
import { costRatio, type Finding, type Goal, type Result, type Row } from './result.ts';
import { readResults } from './results-folder.ts';

/** The name of the first row where other servers had the same load. */
const LAVAGNA = 'Lavagna';

const reportFile = join(import.meta.dirname, 'RESULTS.md');

const boundOf = ({ atLeast, atMost }: Goal): string =>
  atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;

interface NamedGoal extends Goal {
  scenario: string;
}

/** A line for each scenario with its missed goals, which fit a screen so. */
function goalBlocks(goals: readonly NamedGoal[]): string[][] {
  const missed = goals.filter(({ met }) => !met);
  const scenarios = [...new Set(missed.map(({ scenario }) => scenario))];
  const lines = scenarios.map((scenario) => {
    const own = missed.filter((goal) => goal.scenario === scenario);
    const texts = own.map((goal) => `${goal.text} ${decimals(goal.measured)} (${boundOf(goal)})`);
    return [scenario, texts.join('<br>')];
  });
  return [
    tableOf(['scenario', 'missed goals: measured (goal)'], lines),
    ['The goals that are met stand at the end.'],
  ];
}

function metLines(goals: readonly NamedGoal[]): string[] {
  const met = goals.filter((goal) => goal.met);
  const lines = met.map((goal) => [
    goal.scenario,
    goal.text,
    decimals(goal.measured),
    boundOf(goal),
  ]);
  return tableOf(['scenario', 'met goal', 'measured', 'goal'], lines);
}

const isPeerFinding = ({ rows = [] }: Finding) => rows[0]?.name === LAVAGNA;

/** A line for each load, and a column for each server that had the same load. */
function peerTable(findings: readonly Finding[]): string[] {
  const compared = findings.filter(isPeerFinding);
  const peers = [...new Set(compared.flatMap(({ rows = [] }) => rows.slice(1).map(nameOf)))];
  const lines = compared.map(({ title, rows = [] }) => {
    const [first, ...others] = rows as [Row, ...Row[]];
    const ratios = peers.map((peer) => {
      const row = others.find(({ name }) => name === peer);
      return row ? costRatio(row, first).toFixed(2) : '';
    });
    return [title, ...rowCells(first), ...ratios];
  });
  const heads = peers.map((peer) => `× ${peer}`);
  return tableOf(['load', 'CPU µs/request', 'requests/s', 'p50 / p99 ms', ...heads], lines);
}

const nameOf = ({ name }: Row) => name;

function rowCells({ p50, p99, requestsPerSecond, cpu }: Row): string[] {
  const times = `${decimals(p50.median)} / ${decimals(p99.median)}`;
  return [medianText(cpu), whole(requestsPerSecond.median), times];
}

/** A line for each server or case, below the load that it had. */
function otherComparisons(findings: readonly Finding[]): string[] {
  const lines = findings
    .filter((finding) => finding.rows !== undefined && !isPeerFinding(finding))
    .flatMap(({ title, rows = [] }) =>
      rows.map((row, at) => {
        const ratio = costRatio(row, rows[0] as Row).toFixed(2);
        return [at === 0 ? title : '', row.name, ...rowCells(row), ratio];
      }),
    );
  return tableOf(['load', '', 'CPU µs/request', 'requests/s', 'p50 / p99 ms', '× first'], lines);
}

/** The figures that compare no servers: a line for each finding. */
function figureLines({ scenario, findings }: Result): string[][] {
  return findings.flatMap(({ title, figures = [] }) => {
    const texts = figures.map((one) => `${one.name} ${medianText(one)} ${one.unit}`.trim());
    return texts.length === 0 ? [] : [[scenario, title, texts.join('<br>')]];
  });
}

/** When, on which revision, how and where a result was measured. */
function sourceCells({ date, commit, machine, loadAverage, method }: Result): string[] {
  const load = loadAverage === null ? 'unknown' : loadAverage.toFixed(1);
  const described =
    machine === null
      ? 'unknown'
      : `${machine.cpu}, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}`;
  return [date, commit, load, method, described];
}

/** One line for all scenarios that were measured at the same time and place. */
function sourceLines(results: readonly Result[]): string[][] {
  const lines = new Map<string, { scenarios: string[]; cells: string[] }>();
  for (const result of results) {
    const cells = sourceCells(result);
    const key = cells.join();
    const line = lines.get(key) ?? { scenarios: [], cells };
    line.scenarios.push(result.scenario);
    lines.set(key, line);
  }
  return [...lines.values()].map(({ scenarios, cells }) => [scenarios.join(', '), ...cells]);
}

/** The text of RESULTS.md. */
export function renderReport(results: readonly Result[]): string {
  const findings = results.flatMap((result) => result.findings);
  const goals = results.flatMap(({ scenario, findings: own }) =>
    own.flatMap((finding) => (finding.goals ?? []).map((goal) => ({ scenario, ...goal }))),
  );
  const blocks = [
    ['# Results'],
    [
      'Generated by `npm run bench -- report` from the last full run of each scenario in `results/`.',
      'Brackets hold the lowest and the highest round. `NOTES.md` says what was tried and dropped.',
      'Compare figures of one scenario only: machines differ, and each is shared with other work.',
    ],
    [`## Goals: ${goals.filter(({ met }) => met).length} of ${goals.length} met`],
    ...goalBlocks(goals),
    ['## Lavagna and other servers'],
    [
      '× is the CPU time of a request divided by that of Lavagna: below 1 the other one costs less.',
    ],
    peerTable(findings),
    ['## Other comparisons'],
    otherComparisons(findings),
    ['## Other figures'],
    tableOf(['scenario', '', 'figures'], results.flatMap(figureLines)),
    ['## Where and when'],
    tableOf(
      ['scenarios', 'date', 'revision', 'load average', 'method', 'machine'],
      sourceLines(results),
    ),
    ['## Goals that are met'],
    metLines(goals),
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

/** Writes RESULTS.md. */
export function writeReport(): void {
  writeFileSync(reportFile, renderReport(readResults()));
}
