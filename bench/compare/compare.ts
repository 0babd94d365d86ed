import { join } from 'node:path';
import { type LoadGenerator, startLoadGenerator } from '../load/load-generator.ts';
import { medianAndRange } from '../measure/median.ts';
import { medianText, tableOf } from '../measure/tables.ts';
import { pinRunning } from '../processes/cores.ts';
import { startLavagna } from '../processes/lavagna.ts';
import { withFolder } from '../processes/temporary-folder.ts';
import { checkOut, resolveRevision } from './checkout.ts';
import { comparisons, type MeasureRound, type Subject } from './comparisons.ts';
import { complaintOf, pairedRatio } from './paired-ratio.ts';

/** Enough for the menus of all restaurants, in MiB. */
const CACHE_MB = '2048';

export interface CompareOptions {
  /** Git revisions. */
  before: string;
  after: string;
  /** Names of `comparisons`. */
  names: readonly string[];
  rounds: number;
  signal: AbortSignal;
  progress(line: string): void;
}

type Costs = Map<string, number[]>;

function addCosts(costs: Costs, round: Record<string, number>): void {
  for (const [name, cost] of Object.entries(round)) {
    costs.set(name, [...(costs.get(name) ?? []), cost]);
  }
}

/** Measures both in every round, in alternating order; the first round does not count. */
async function measureRounds(
  pair: readonly [MeasureRound, MeasureRound],
  { rounds, signal, progress }: CompareOptions,
): Promise<[Costs, Costs]> {
  const costs: [Costs, Costs] = [new Map(), new Map()];
  for (let round = 0; round <= rounds; round += 1) {
    signal.throwIfAborted();
    progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
    const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const index of order) {
      const measured = await pair[index]();
      if (round > 0) addCosts(costs[index], measured);
    }
  }
  return costs;
}

/** Prints the table and the complaints; true when no cost is above the bound. */
function printCosts(heads: readonly string[], [before, after]: [Costs, Costs]): boolean {
  const complaints: string[] = [];
  const lines = [...before].map(([name, costs]) => {
    const others = after.get(name) ?? [];
    const ratio = pairedRatio(costs, others);
    const complaint = complaintOf(name, ratio);
    if (complaint !== null) complaints.push(complaint);
    const [first, second] = [medianText(medianAndRange(costs)), medianText(medianAndRange(others))];
    const { median, low, high } = ratio;
    const range = `${median.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
    return [name, first, second, range];
  });
  console.log(tableOf(['', ...heads, 'ratio (95 %)'], lines).join('\n'));
  for (const complaint of complaints) console.error(`\n${complaint}`);
  return complaints.length === 0;
}

async function compareSubjects(
  subjects: readonly [Subject, Subject],
  heads: readonly string[],
  load: LoadGenerator,
  options: CompareOptions,
): Promise<boolean> {
  let passed = true;
  for (const name of options.names) {
    const prepare = comparisons[name];
    if (!prepare) throw new Error(`there is no comparison ${name}`);
    options.progress(`${name} …`);
    const pair = [await prepare(subjects[0], load), await prepare(subjects[1], load)] as const;
    passed = printCosts(heads, await measureRounds(pair, options)) && passed;
  }
  return passed;
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
  const { before, after, progress } = options;
  const commits = [await resolveRevision(before), await resolveRevision(after)] as const;
  return await withFolder('compare', async (root) => {
    const subjects: Subject[] = [];
    const load = await startLoadGenerator();
    try {
      for (const [index, commit] of commits.entries()) {
        progress(`${commit}: checking out and starting`);
        const folder = join(root, `${index}-${commit}`);
        const dataDir = `${folder}-data`;
        await checkOut(commit, folder);
        const lavagna = await startLavagna(dataDir, { SNAPSHOT_CACHE_MB: CACHE_MB }, folder);
        pinRunning('server', lavagna.gateway.pid);
        subjects.push({ folder, dataDir, lavagna });
      }
      const [first, second] = subjects;
      if (!first || !second) throw new Error('a revision did not start');
      const heads = [headOf(before, commits[0]), headOf(after, commits[1])];
      return await compareSubjects([first, second], heads, load, options);
    } finally {
      for (const { lavagna } of subjects) await lavagna.stop();
      await load.stop();
    }
  });
}
