import type { MedianAndRange } from './measure/median.ts';

/** One server under load. */
export interface Row {
  name: string;
  requestsPerSecond: MedianAndRange;
  /** Response times in milliseconds. */
  p50: MedianAndRange;
  p99: MedianAndRange;
  p999: MedianAndRange;
  /** CPU time of the server's processes for one request, in microseconds. */
  cpu: MedianAndRange;
  /** Share of one core that the server used. */
  core: number;
}

/** A figure that is no comparison of servers. */
export interface Figure extends MedianAndRange {
  name: string;
  unit: string;
}

/** A bound for a measured figure, in the unit that `text` names. */
export interface Goal {
  text: string;
  measured: number;
  atLeast?: number;
  atMost?: number;
  met: boolean;
}

/** The answer to one question of a scenario. */
export interface Finding {
  title: string;
  /** A remark that the reader needs to understand the figures. */
  note?: string;
  /** Servers compared with the first one. */
  rows?: Row[];
  figures?: Figure[];
  goals?: Goal[];
}

export interface Machine {
  cpu: string;
  memoryGb: number;
  system: string;
  node: string;
}

/** One run of one scenario, as its file in `results/` holds it. */
export interface Result {
  scenario: string;
  /** As in 2026-11-23. */
  date: string;
  /** Short hash; a `+` follows when files were changed since. */
  commit: string;
  /** Null when it was not written down. */
  machine: Machine | null;
  /** Load average of one minute before the start; null likewise. */
  loadAverage: number | null;
  /** Load generator, rounds and cores. */
  method: string;
  quick: boolean;
  findings: Finding[];
}

export function atLeast(text: string, measured: number, bound: number): Goal {
  return { text, measured, atLeast: bound, met: measured >= bound };
}

export function atMost(text: string, measured: number, bound: number): Goal {
  return { text, measured, atMost: bound, met: measured <= bound };
}

/** CPU time of `row` for a request, divided by that of `first`: above 1 it costs more. */
export function costRatio(row: Row, first: Row): number {
  return row.cpu.median / first.cpu.median;
}
