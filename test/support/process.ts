import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { compiledPath } from './compiled-path.ts';

const root = resolve(import.meta.dirname, '../..');
/** The longest wait; a busy machine needs a small part of it. */
const readyBoundMs = 120_000;
const stopBoundMs = 120_000;

export type StartOptions = {
  env?: Record<string, string>;
  args?: string[];
  /** Runs the source, as an installation does, though the run has compiled it. */
  isSource?: boolean;
  /** Puts the process into a group of its own, so that a signal can be sent to all of it. */
  ownGroup?: boolean;
  /** The descriptor that is its stdout; without one, what it writes there is kept. */
  stdout?: number;
  /** The account to run as, for tests that run as root. */
  account?: { uid: number; gid: number };
};

/** A program of ours that runs as a child of the test. */
export type TestProcess = {
  pid: number;
  stdout: () => string;
  stderr: () => string;
  /** Resolves when stdout or stderr has matched; rejects when the process ends before. */
  waitFor: (pattern: RegExp) => Promise<void>;
  /** Resolves to the exit code, or the signal's name, when the process has ended. */
  ended: Promise<number | string>;
  isRunning: () => boolean;
  /** Ends it by SIGTERM and asserts that it ends in time with exit code 0. */
  stop: () => Promise<void>;
  /** Ends it by SIGKILL, and asserts that nothing else has ended it. */
  kill: () => Promise<void>;
};

/** The arguments of Node: the compiled program if the run has compiled it, else its source. */
function program(file: string, isSource: boolean): string[] {
  const compiled = compiledPath(process.env.TEST_COMPILED ?? '', file);
  return !isSource && existsSync(compiled) ? [compiled] : ['--import', 'tsx', file];
}

/**
 * Starts `file`, a path below the repository such as `gateway/main.ts`, with no environment but
 * `env` and what Node needs. The IPC channel ends it should the test itself be killed.
 */
export function startProcess(file: string, options: StartOptions = {}): TestProcess {
  const { env = {}, args = [], isSource = false, ownGroup = false } = options;
  const { stdout = 'pipe', account = {} } = options;
  const child = spawn(process.execPath, [...program(file, isSource), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
    detached: ownGroup,
    ...account,
  });
  const output = collectOutput(child);
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  const assertEnd = (end: number | string, wanted: number | string) =>
    assert.equal(end, wanted, `${file} ended with ${end}:\n${output.stdout}${output.stderr}`);
  return {
    pid: child.pid as number,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    waitFor: (pattern) => waitFor(child, output, pattern),
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: async () => {
      child.kill('SIGKILL');
      assertEnd(await ended, 'SIGKILL');
    },
    stop: async () => {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), stopBoundMs);
      const end = await ended;
      clearTimeout(late);
      assertEnd(end, 0);
    },
  };
}

type Output = { stdout: string; stderr: string };

function collectOutput(child: ChildProcess): Output {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  return output;
}

function waitFor(child: ChildProcess, output: Output, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      clearTimeout(late);
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', look);
      child.off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const fail = (what: string) =>
      settle(new Error(`${what} before ${pattern}:\n${output.stdout}${output.stderr}`));
    const look = () => {
      if (pattern.test(output.stdout) || pattern.test(output.stderr)) settle();
    };
    const closed = () => fail('the process ended');
    const late = setTimeout(() => fail(`${readyBoundMs} ms passed`), readyBoundMs);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', look);
    child.on('close', closed);
    look();
  });
}
