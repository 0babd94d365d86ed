import { readFile } from 'node:fs/promises';

/** Ticks of the kernel's clock in a second, as Linux counts for every architecture. */
const TICKS = 100;

/** The processor time that a process has used, in ms: what it costs, whoever else is busy. */
async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
}

/** Resident memory of a process, in MiB. */
export async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}

/** The processor time of each event, in µs, that a process used for `work`. */
export async function priced<T extends { events: number }>(pid: number, work: () => Promise<T>) {
  const before = await processorTime(pid);
  const result = await work();
  const used = (await processorTime(pid)) - before;
  return { ...result, cpuMicroseconds: Math.round((used * 10_000) / result.events) / 10 };
}
