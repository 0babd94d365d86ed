import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const cores = availableParallelism();
const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/** Whether the server under test and the load each get a core of their own. */
export const pinned = hasTaskset && cores >= 2;

const core = { server: 0, load: cores - 1 };
type Role = keyof typeof core;

/** The command that runs `command` on the core of its role, where taskset exists. */
export function pin(role: Role, command: readonly string[]): string[] {
  return pinned ? ['taskset', '--cpu-list', String(core[role]), ...command] : [...command];
}

/** Binds a running process, with all its threads, to the core of its role. */
export function pinRunning(role: Role, pid: number): void {
  if (!pinned) return;
  const args = ['--all-tasks', '--pid', '--cpu-list', String(core[role]), String(pid)];
  const { status, stderr } = spawnSync('taskset', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`taskset could not bind process ${pid}: ${stderr}`);
}
