/** A measured quantity: the median of several rounds, with the least and the greatest of them. */
export interface Interval {
  median: number;
  /** Missing when there was one round. */
  low?: number;
  high?: number;
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
}

export function intervalOf(values: readonly number[]): Interval {
  return { median: medianOf(values), low: Math.min(...values), high: Math.max(...values) };
}
