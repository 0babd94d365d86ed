import { parseArgs } from 'node:util';
import { comparisons } from './compare/comparisons.ts';
import { scenarios } from './scenarios.ts';

export interface Options {
  command: 'run' | 'syscalls' | 'report' | 'compare';
  /** The two revisions of `compare`. */
  revisions: string[];
  quick: boolean;
  /** Names of the scenarios; empty when none was named. */
  only: string[];
  data: string | undefined;
  /** Paired rounds of `compare`, and the fresh starts of both revisions that share them. */
  rounds: number;
  starts: number;
}

export const usage = `Usage:
  npm run bench -- [--quick] [--only NAME]... [--data DIR]   measures and writes bench/results/
  npm run bench -- syscalls [--quick]                        counts the system calls of a hot read
  npm run bench -- report                                    writes bench/RESULTS.md
  npm run bench -- compare A B [--only NAME] [--rounds N] [--starts N]
                                                             pairs two git revisions

  --quick      less of everything: under two minutes; the result file is not committed
  --only NAME  runs this scenario; may be given several times
  --data DIR   keeps the planted tenants in DIR for the next run
  --rounds N   paired rounds of compare, at least 6; 15 by default
  --starts N   fresh starts of both revisions, which share the rounds; 1 by default

Scenarios: ${scenarios.map(({ name }) => name).join(', ')}
Scenarios of compare: ${Object.keys(comparisons).join(', ')}
`;

/** The command line is wrong; the message says how. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const DEFAULT_ROUNDS = 15;
/** With fewer rounds no interval of the median reaches 95 %. */
const MIN_ROUNDS = 6;
const options = {
  quick: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true, default: [] as string[] },
  data: { type: 'string' },
  rounds: { type: 'string', default: String(DEFAULT_ROUNDS) },
  starts: { type: 'string', default: '1' },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const [command = 'run', ...revisions] = positionals;
  if (
    command !== 'run' &&
    command !== 'syscalls' &&
    command !== 'report' &&
    command !== 'compare'
  ) {
    throw new UsageError(`There is no command ${command}.`);
  }
  if (revisions.length !== (command === 'compare' ? 2 : 0)) {
    throw new UsageError('compare takes two revisions, the other commands none.');
  }
  const known =
    command === 'compare' ? Object.keys(comparisons) : scenarios.map(({ name }) => name);
  const unknown = values.only.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new UsageError(`There is no scenario ${unknown.join(', ')}.`);
  const rounds = Number(values.rounds);
  if (!Number.isSafeInteger(rounds) || rounds < MIN_ROUNDS) {
    throw new UsageError(`--rounds must be a whole number from ${MIN_ROUNDS} up.`);
  }
  const starts = Number(values.starts);
  if (!Number.isSafeInteger(starts) || starts < 1 || starts > rounds) {
    throw new UsageError('--starts must be a whole number from 1 to the number of rounds.');
  }
  const { quick, only, data } = values;
  return { command, revisions, quick, only, data, rounds, starts };
}
