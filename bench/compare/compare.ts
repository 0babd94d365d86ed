import { join } from 'node:path';
import { type LoadGenerator, startLoadGenerator } from '../load/load-generator.ts';
import { medianAndRange } from '../measure/median.ts';
import { medianText, tableOf } from '../measure/tables.ts';
import { pinRunning } from '../processes/cores.ts';
import { type Lavagna, startLavagna } from '../processes/lavagna.ts';
import { group } from '../processes/running.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { checkOut, resolveRevision } from './checkout.ts';
import { comparisons, type MeasureRound, type Subject } from './comparisons.ts';
import { complaintOf, pairedRatio } from './paired-ratio.ts';

/** Enough for the menus of all restaurants, in MiB. */
const CACHE_MB = '2048';

interface CompareOptions {
  /** Git revisions. */
  before: string;
  after: string;
  /** Names of `comparisons`. */
  names: readonly string[];
  rounds: number;
  /** How often both are started anew: two starts of the same code may differ by 5 %. */
  starts: number;
  signal: AbortSignal;
  progress(line: string): void;
}

/** For each cost the figures of all rounds, of the first revision and of the second. */
type Costs = Map<string, [number[], number[]]>;

function addCosts(costs: Costs, round: Record<string, number>, index: 0 | 1): void {
  for (const [name, cost] of Object.entries(round)) {
    const known = costs.get(name) ?? [[], []];
    known[index].push(cost);
    costs.set(name, known);
  }
}

/** Measures both in every round, in alternating order; the first round does not count. */
async function measureRounds(
  pair: readonly [MeasureRound, MeasureRound],
  rounds: number,
  costs: Costs,
  { signal, progress }: CompareOptions,
): Promise<void> {
  for (let round = 0; round <= rounds; round += 1) {
    signal.throwIfAborted();
    progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
    for (const index of inTurn(round)) {
      const measured = await pair[index]();
      if (round > 0) addCosts(costs, measured, index);
    }
  }
}

/** Both revisions: now the first one first, and then the second. */
function inTurn(turn: number): readonly [0, 1] | readonly [1, 0] {
  return turn % 2 === 0 ? [0, 1] : [1, 0];
}

/** Prints the table and the complaints; true when no cost is above the bound. */
function printCosts(heads: readonly string[], costs: Costs): boolean {
  const complaints: string[] = [];
  const lines = [...costs].map(([name, [before, after]]) => {
    const ratio = pairedRatio(before, after);
    const complaint = complaintOf(name, ratio);
    if (complaint !== null) complaints.push(complaint);
    const [first, second] = [medianText(medianAndRange(before)), medianText(medianAndRange(after))];
    const { median, low, high } = ratio;
    const range = `${median.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
    return [name, first, second, range];
  });
  console.log(tableOf(['', ...heads, 'ratio (95 %)'], lines).join('\n'));
  for (const complaint of complaints) console.error(`\n${complaint}`);
  return complaints.length === 0;
}

/** Adds the costs of `rounds` rounds of two that have been started. */
async function compareSubjects(
  [first, second]: readonly [Subject, Subject],
  load: LoadGenerator,
  rounds: number,
  costs: Map<string, Costs>,
  options: CompareOptions,
): Promise<void> {
  for (const name of options.names) {
    const prepare = comparisons[name];
    if (!prepare) throw new Error(`there is no comparison ${name}`);
    options.progress(`${name} …`);
    const pair = [await prepare(first, load), await prepare(second, load)] as const;
    const known: Costs = costs.get(name) ?? new Map();
    costs.set(name, known);
    await measureRounds(pair, rounds, known, options);
  }
}

/** Starts both, one after the other, for as long as `work` takes. */
async function withSubjects(
  folders: readonly [string, string],
  start: number,
  work: (pair: readonly [Subject, Subject]) => Promise<void>,
): Promise<void> {
  const subjects: Subject[] = [];
  await using started = group<Lavagna>();
  for (const index of inTurn(start)) {
    const folder = folders[index];
    const dataDir = `${folder}-data-${start}`;
    const lavagna = await startLavagna(dataDir, { SNAPSHOT_CACHE_MB: CACHE_MB }, folder);
    started.push(lavagna);
    pinRunning('server', lavagna.gateway.pid);
    subjects[index] = { folder, dataDir, lavagna };
  }
  const [first, second] = subjects;
  if (!first || !second) throw new Error('a revision did not start');
  await work([first, second]);
}

/** A column's head: the revision as it was given, and its commit. */
function headOf(revision: string, commit: string): string {
  return revision.startsWith(commit) ? commit : `${revision} (${commit})`;
}

/**
 * Runs both revisions side by side and measures them in alternating rounds; prints costs and ratios.
 * False when the second costs more than 3 % more than the first in the median of the paired rounds.
 *
 * @throws UsageError when a revision does not exist
 */
export async function compareRevisions(options: CompareOptions): Promise<boolean> {
  const { before, after, rounds, starts, progress } = options;
  const commits = [await resolveRevision(before), await resolveRevision(after)] as const;
  return await withFolder('compare', async (root) => {
    const folders = [join(root, `0-${commits[0]}`), join(root, `1-${commits[1]}`)] as const;
    for (const index of [0, 1] as const) {
      progress(`${commits[index]}: checking out`);
      await checkOut(commits[index], folders[index]);
    }
    const costs = new Map<string, Costs>();
    await using load = await startLoadGenerator();
    for (let start = 0; start < starts; start += 1) {
      progress(`start ${start + 1} of ${starts}`);
      await withSubjects(folders, start, (pair) =>
        compareSubjects(pair, load, Math.ceil(rounds / starts), costs, options),
      );
    }
    const heads = [headOf(before, commits[0]), headOf(after, commits[1])];
    const passed = [...costs.values()].map((each) => printCosts(heads, each));
    return passed.every(Boolean);
  });
}
