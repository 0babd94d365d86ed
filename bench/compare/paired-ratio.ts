import { medianOf } from '../measure/median.ts';

/** The share by which a change may raise a cost. */
const MAX_EXTRA_COST = 0.03;
const CONFIDENCE = 0.95;

/** The costs of the second revision divided by those of the first, round by round. */
interface PairedRatio {
  median: number;
  /** The lower end of the median’s 95 % confidence interval; `high` is the upper end. */
  low: number;
  high: number;
}

/**
 * How many of the lowest ratios, and as many of the highest, the 95 % confidence interval of the
 * median leaves out. The sign test gives the number.
 */
function countLeftOut(rounds: number): number {
  let probability = 0.5 ** rounds;
  let sum = probability;
  let count = 0;
  while (2 * sum <= 1 - CONFIDENCE) {
    count += 1;
    probability *= (rounds - count + 1) / count;
    sum += probability;
  }
  return Math.max(0, count - 1);
}

/** @param before as many costs as `after`, of the same rounds, at least six */
export function pairedRatio(before: readonly number[], after: readonly number[]): PairedRatio {
  const ratios = before.map((cost, round) => (after[round] ?? Number.NaN) / cost);
  const sorted = ratios.toSorted((a, b) => a - b);
  const leftOut = countLeftOut(sorted.length);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return { median: medianOf(ratios), low: at(leftOut), high: at(sorted.length - 1 - leftOut) };
}

const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(1)} %`;

/** The sentence that reports a cost above the bound; null when the cost is within it. */
export function complaintOf(name: string, { median, low, high }: PairedRatio): string | null {
  if (median <= 1 + MAX_EXTRA_COST) return null;
  const isCertain = low > 1;
  return (
    `${isCertain ? '' : 'PERHAPS '}TOO EXPENSIVE: ${name} costs ${percent(median)} more ` +
    `(95 % interval ${percent(low)} to ${percent(high)}); at most ${percent(1 + MAX_EXTRA_COST)} ` +
    `is allowed.${isCertain ? '' : ' The interval includes no change: repeat with more --rounds.'}`
  );
}
