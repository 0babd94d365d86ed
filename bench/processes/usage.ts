import { existsSync, readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS_PER_MICROSECOND = 1_000;
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

/** Resident memory of the process, in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** The same in MiB, rounded. */
export function residentMb(pid: number): number {
  return Math.round(residentBytes(pid) / 1_048_576);
}

/** The largest resident memory that a process has had, in MiB. */
export function peakMb(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/**
 * Memory of processes together, in bytes. A page that they share, such as one of Node's program, counts
 * once; one that they share with others counts by its part.
 */
export function sharedOutBytes(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) =>
    /^Pss:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`)),
  );
  return kilobytes.reduce((sum, found) => sum + Number(found?.[1] ?? 0), 0) * 1024;
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

/** The process that started it, or has taken it over. */
export function parentOf(pid: number): number {
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

/** Its own time, and that of its children that have ended, in ticks; null when it has ended itself. */
function ticksOf(pid: number): number | null {
  const afterName = readIfThere(`/proc/${pid}/stat`).split(') ').at(-1) ?? '';
  if (afterName === '') return null;
  const times = afterName.split(' ').slice(11, 15).map(Number);
  return times.reduce((sum, each) => sum + each, 0);
}

/** Processes that come and go all the time are looked at so often, until none does meanwhile. */
const MOST_LOOKS = 1_000;

/**
 * The sum over processes while none of them ends: one that ends is counted by its parent from then
 * on, which may have been read before, or be read once more.
 *
 * @param list the processes at the moment
 * @param read null for one that has ended
 * @throws when they never stay the same
 */
export function sumAtOnce(
  list: () => readonly number[],
  read: (pid: number) => number | null,
): number {
  let pids = list();
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const amounts = pids.map(read);
    const present = list();
    if (present.join() === pids.join() && !amounts.includes(null)) {
      return amounts.reduce<number>((sum, each) => sum + (each ?? 0), 0);
    }
    pids = present;
  }
  throw new Error('the processes never stayed the same');
}

/**
 * CPU time in µs that `pid` and its descendants have used, ended ones included. The kernel counts it in
 * hundredths of a second.
 */
export function treeCpuTime(pid: number): number {
  return sumAtOnce(() => processTree(pid), ticksOf) * MICROSECONDS_PER_TICK;
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
