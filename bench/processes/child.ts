import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pin } from './cores.ts';
import { type Running, running } from './running.ts';

export const repository = resolve(import.meta.dirname, '../..');
const stopBoundMs = 30_000;
const keptOutput = 64_000;

interface ChildOptions {
  env?: Record<string, string>;
  /** Opens a message channel. */
  channel?: boolean;
  account?: { uid: number; gid: number } | undefined;
  /** Where it runs: by default this checkout. */
  folder?: string | undefined;
}

/** A program that the benchmark runs. */
export interface Child extends Running {
  pid: number;
  /** The end of its stdout and stderr. */
  output(): string;
  /** The next message; rejects when the program ends before. */
  message<T>(): Promise<T>;
  /** The answer to a message; rejects likewise. */
  ask<T>(message: object): Promise<T>;
  /** Resolves to the exit code, or the signal's name. */
  ended: Promise<number | string>;
  /** Sends a signal, after 30 s SIGKILL, and resolves as `ended` does. */
  end(signal: NodeJS.Signals): Promise<number | string>;
  /** Ends it and resolves when it has ended; may be called twice. */
  stop(): Promise<void>;
}

function nextMessage<T>(child: ChildProcess, failure: () => Error): Promise<T> {
  return new Promise((done, fail) => {
    const settle = (finish: () => void) => {
      child.off('message', received);
      child.off('close', closed);
      finish();
    };
    const received = (message: unknown) => settle(() => done(message as T));
    const closed = () => settle(() => fail(failure()));
    child.on('message', received);
    child.on('close', closed);
  });
}

/** Starts a program with this process's environment and `env`. */
export async function startChild(
  [file = '', ...args]: readonly string[],
  options: ChildOptions = {},
): Promise<Child> {
  const { env = {}, channel = false, account, folder = repository } = options;
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: channel ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    serialization: 'advanced',
    ...account,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutput);
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  await once(child, 'spawn');
  const failure = () => new Error(`${file} ${args.join(' ')} ended:\n${output}`);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), stopBoundMs);
    const code = await ended;
    clearTimeout(late);
    return code;
  };
  return running({
    pid: child.pid as number,
    output: () => output,
    message: () => nextMessage(child, failure),
    ask: (message) => {
      child.send(message);
      return nextMessage(child, failure);
    },
    ended,
    end,
    stop: async () => {
      await end('SIGTERM');
    },
  });
}

/** A program that does tasks one after the other. */
export interface Doer<Task extends object, Done extends object> extends Running {
  /** @throws Error where the program says why it could not do it */
  run(task: Task): Promise<Done>;
}

/** Starts such a program of the repository. It ends when the benchmark does. */
export async function startDoer<Task extends object, Done extends object>(
  file: string,
): Promise<Doer<Task, Done>> {
  const child = await startChild(pin('load', nodeCommand(file)), { channel: true });
  // It is ready.
  await child.message();
  return running({
    run: async (task) => {
      const answer = await child.ask<Done | { failure: string }>(task);
      if ('failure' in answer) throw new Error(answer.failure);
      return answer;
    },
    stop: child.stop,
  });
}

/** The command that runs a script of a checkout's package.json, with further arguments. */
export function scriptCommand(folder: string, script: string, ...args: string[]): string[] {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return ['sh', '-c', `${scripts[script]} "$@"`, 'sh', ...args];
}

/** The command that runs a TypeScript file of the repository. */
export function nodeCommand(file: string, ...args: string[]): string[] {
  return [process.execPath, '--import', 'tsx', file, ...args];
}
