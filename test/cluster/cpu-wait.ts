import { readFileSync } from 'node:fs';

const MS_PER_NS = 1e-6;

/** How long the main thread of a process has been ready to run without a CPU, in ms. */
function waited(pid: number): number {
  const [, waiting] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(waiting) * MS_PER_NS;
}

/**
 * Measures from now on. The result returns the share of the time, from 0 to 1, for which a process
 * waited for a CPU, on average over the processes.
 */
export function startCpuWait(processes: readonly { pid: number }[]): () => number {
  const begun = performance.now();
  const total = () => processes.reduce((sum, { pid }) => sum + waited(pid), 0);
  const before = total();
  return () => (total() - before) / processes.length / (performance.now() - begun);
}
