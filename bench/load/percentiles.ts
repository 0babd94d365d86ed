/** Collects response times; the library's own histogram has whole milliseconds only. */
export interface Latencies {
  add(milliseconds: number): void;
  summary(): { p50: number; p99: number; p999: number };
}

export function createLatencies(): Latencies {
  const times: number[] = [];
  return {
    add: (milliseconds) => {
      times.push(milliseconds);
    },
    summary: () => {
      const sorted = Float64Array.from(times).sort();
      const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
      return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
    },
  };
}
