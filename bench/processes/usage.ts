import { existsSync, readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS_PER_MICROSECOND = 1_000;
const NANOSECONDS_PER_MILLISECOND = 1_000_000;
const MICROSECONDS_PER_TICK = 10_000;
const PAGE_BYTES = 4_096;

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // The thread or process has ended since it was listed.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** CPU time that the threads of these processes have used, in µs, to the nanosecond. */
export function cpuTime(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) {
    for (const thread of existsSync(`/proc/${pid}`) ? readdirSync(`/proc/${pid}/task`) : []) {
      const [onCpu = '0'] = readIfThere(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
      nanoseconds += Number(onCpu);
    }
  }
  return nanoseconds / NANOSECONDS_PER_MICROSECOND;
}

/**
 * Milliseconds that the main thread of a process has run, and that it was ready to run while other
 * work had the cores.
 */
export function mainThreadTimes(pid: number): { ran: number; waited: number } {
  const [ran = 0, waited = 0] = readIfThere(`/proc/${pid}/task/${pid}/schedstat`)
    .split(' ')
    .map((nanoseconds) => Number(nanoseconds) / NANOSECONDS_PER_MILLISECOND);
  return { ran, waited };
}

/** Resident memory of the process, in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** The same in MiB, rounded. */
export function residentMb(pid: number): number {
  return Math.round(residentBytes(pid) / 1_048_576);
}

/**
 * Memory of the kernel for its own structures and for the connections of this machine, in bytes. Of a
 * connection within the machine it holds both ends.
 */
export function kernelBytes(): number {
  const kilobytes = /^Slab:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  const pages = /^TCP:.* mem (\d+)/m.exec(readFileSync('/proc/net/sockstat', 'utf8'))?.[1];
  return Number(kilobytes) * 1024 + Number(pages) * PAGE_BYTES;
}

function parentOf(pid: number): number {
  // The second field is the program's name in brackets, which may itself hold brackets.
  const afterName = readIfThere(`/proc/${pid}/stat`).split(') ').at(-1) ?? '';
  return Number(afterName.split(' ')[1]);
}

/** `pid` and all its descendants. */
export function processTree(pid: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const tree = [pid];
  for (const ancestor of tree) {
    for (const candidate of pids) if (parentOf(candidate) === ancestor) tree.push(candidate);
  }
  return tree;
}

/**
 * CPU time in µs that `pid` and its descendants have used, ended ones included. The kernel counts it in
 * hundredths of a second.
 */
export function treeCpuTime(pid: number): number {
  const ticks = processTree(pid).flatMap((each) => {
    const afterName = readIfThere(`/proc/${each}/stat`).split(') ').at(-1) ?? '';
    // Its own time, and that of its children that have ended.
    return afterName.split(' ').slice(11, 15).map(Number);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * MICROSECONDS_PER_TICK;
}

/** The arguments that a process was started with. */
export function commandLine(pid: number): string[] {
  return readIfThere(`/proc/${pid}/cmdline`).split('\0');
}

/** A variable of the environment that a process was started with. */
export function environmentOf(pid: number, name: string): string | undefined {
  const entries = readIfThere(`/proc/${pid}/environ`).split('\0');
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}
