import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { commandLine, parentOf, processTree, treeCpuTime } from '../../bench/processes/usage.ts';
import type { FileCost } from './run-in-turn.ts';

/** How many files the table of a run names. */
const SLOWEST = 20;
const TICKS_PER_SECOND = 100;
const MICROSECONDS_PER_SECOND = 1_000_000;

/** Seconds since this process began, perhaps as another program. */
function age(): number {
  const [upSeconds = ''] = readFileSync('/proc/uptime', 'utf8').split(' ');
  const [, afterName = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  return Number(upSeconds) - Number(afterName.split(' ')[19]) / TICKS_PER_SECOND;
}

/** Seconds of cores that the process and its descendants have used, and that those used who ended. */
export const cpuSeconds = (pid: number) => treeCpuTime(pid) / MICROSECONDS_PER_SECOND;

/** The programs that this process has started and that still run, with the seconds of each. */
function runningPrograms(): string[] {
  const programs = processTree(process.pid).filter((pid) => parentOf(pid) === process.pid);
  return programs.map((pid) => {
    const [program = ''] = commandLine(pid);
    return `${basename(program)} ${cpuSeconds(pid).toFixed(0)}`;
  });
}

/**
 * Says how much a run has used until now. `npm test` is one process, which becomes the run's: checks of
 * types and style count, too.
 *
 * @param checks what they used, in seconds of cores
 */
export function wholeCost(checks: number): string {
  const [seconds, cpu, before] = [age(), cpuSeconds(process.pid), checks].map((s) => s.toFixed(0));
  const parts = [`checks of types and style ${before}`, ...runningPrograms()].join(', ');
  return `The run took ${seconds} s, and ${cpu} s of cores. In these: ${parts}.`;
}

/** The test files of a run that took longest. */
export function slowestFiles(folders: readonly string[]): string[] {
  const costs = folders
    .flatMap((marks) => readdirSync(marks).map((name) => join(marks, name)))
    .filter((path) => path.endsWith('.json'))
    .map((path): FileCost => JSON.parse(readFileSync(path, 'utf8')));
  const sorted = costs.sort((one, other) => other.seconds - one.seconds);
  const rows = sorted.slice(0, SLOWEST).map(({ file, seconds, cpu }) => {
    const [all, own] = [seconds, cpu].map((time) => time.toFixed(1).padStart(8));
    return `${all} s ${own} s of CPU in its process  ${file}`;
  });
  return ['The slowest files:', ...rows];
}
