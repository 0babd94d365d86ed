import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { hasWrk } from './load/wrk.ts';
import { repository } from './processes/child.ts';
import { pinned } from './processes/cores.ts';
import type { Finding, Machine, Result } from './result.ts';

const folder = join(import.meta.dirname, 'results');
const BYTES_PER_GB = 1024 ** 3;
const SIGNIFICANT_DIGITS = 4;
/** Near 0 when the machine was idle before this process began. */
const loadBefore = Math.round((loadavg()[0] ?? 0) * 10) / 10;

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
}

/** Whether anything but the results of earlier scenarios differs from the commit. */
function isChanged(): boolean {
  return git('status', '--porcelain', '--', ':/', ':/!bench/results', ':/!bench/RESULTS.md') !== '';
}

function readMachine(): Machine {
  return {
    cpu: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    memoryGb: Math.round(totalmem() / BYTES_PER_GB),
    system: `Linux ${release()}`,
    node: process.version,
  };
}

/** A result of this checkout on this machine, made now. */
export function resultOf(
  scenario: string,
  findings: Finding[],
  rounds: string,
  quick: boolean,
): Result {
  const driver = hasWrk ? 'load by wrk' : 'load by autocannon';
  const cores = pinned ? 'server and load on one core each' : 'cores not pinned';
  return {
    scenario,
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short', 'HEAD') + (isChanged() ? '+' : ''),
    machine: readMachine(),
    loadAverage: loadBefore,
    method: [driver, rounds, cores].join('; '),
    quick,
    findings,
  };
}

/** JSON with four digits a number, and with innermost objects on one line. */
function textOf(result: Result): string {
  const rounded = JSON.stringify(
    result,
    (_, value) =>
      typeof value === 'number' ? Number(value.toPrecision(SIGNIFICANT_DIGITS)) : value,
    1,
  );
  return `${rounded.replace(/\{[^{}[\]]*\}/g, (leaf) => leaf.replace(/\n\s*/g, ' '))}\n`;
}

/**
 * Writes the file of the result, in place of the one before, and returns its name; a quick run has a
 * file that git ignores.
 */
export function writeResult(result: Result): string {
  const name = `${result.scenario}${result.quick ? '-quick' : ''}.json`;
  writeFileSync(join(folder, name), textOf(result));
  return `bench/results/${name}`;
}

/** The result of each scenario, without quick runs. */
export function readResults(): Result[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Result)
    .filter(({ quick }) => !quick);
}
