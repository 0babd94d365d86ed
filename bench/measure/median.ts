/** The median of a quantity over several rounds, with its lowest and highest value. */
export interface MedianAndRange {
  median: number;
  /** Absent, like `high`, when there was only one round. */
  low?: number;
  high?: number;
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
}

export function medianAndRange(values: readonly number[]): MedianAndRange {
  return { median: medianOf(values), low: Math.min(...values), high: Math.max(...values) };
}
