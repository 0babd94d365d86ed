/** Response times in milliseconds. */
export interface Percentiles {
  p50: number;
  p99: number;
  p999: number;
  max: number;
}

export function percentilesOf(milliseconds: readonly number[]): Percentiles {
  const sorted = Float64Array.from(milliseconds).sort();
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}
