import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { styleText } from 'node:util';
import { type Config, type ProcessKind, processKinds } from '../../runtime/config.ts';
import type { Constants } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { type Running, stopOnce } from '../../runtime/running.ts';

/** A process that ran for this long is started again after the shortest pause, in ms. */
const RESTART_RESET = 60_000;

/** First and longest pause before a process that ended is started again, in ms; it doubles. */
const MIN_RESTART_DELAY = 1_000;
const MAX_RESTART_DELAY = 30_000;

/** One process of the formation: `gateway.2` is the second gateway. */
export type Process = {
  name: string;
  kind: ProcessKind;
  command: string;
  opsPort: number;
};

const procfile = new URL('../../../Procfile', import.meta.url);

/** The commands of the Procfile by the kind of process, one `kind: command` a line. */
async function readProcfile(): Promise<Map<string, string>> {
  const lines = (await readFile(procfile, 'utf8')).split('\n');
  const entries = lines.flatMap((line) => {
    const [, kind, command] = /^([\w-]+):\s*(\S.*)$/.exec(line) ?? [];
    return kind && command ? [[kind, command] as const] : [];
  });
  return new Map(entries);
}

/**
 * The processes that FORMATION asks for. The gateways share PORT. Every process has a health port of
 * its own, counted up from OPS_PORT, the gateways' first.
 */
export async function planProcesses(config: Config): Promise<Process[]> {
  const commands = await readProcfile();
  const processes: Process[] = [];
  for (const kind of processKinds) {
    const command = commands.get(kind);
    if (command === undefined) throw new OperatorError(`The Procfile has no line for ${kind}.`);
    for (let number = 1; number <= config.formation[kind]; number += 1) {
      const opsPort = config.opsPort + processes.length;
      processes.push({ name: `${kind}.${number}`, kind, command, opsPort });
    }
  }
  return processes;
}

/** The colours of names on a terminal, by turns. */
const COLORS = ['cyan', 'yellow', 'green', 'magenta', 'blue'] as const;

interface ProcessesOptions {
  config: Config;
  databaseUrl: string;
  processes: Process[];
  /** Prints what the processes write. */
  say: (text: string) => void;
  /** From then on no process is started again. */
  stopping: AbortSignal;
  constants: RestartConstants;
}

type RestartConstants = Pick<Constants, 'killAfter'>;

/**
 * Starts the processes and shows their output, each line behind its process's name. A
 * process that ends is restarted after a pause, which doubles while it keeps ending. After `stopping`,
 * `stop` ends all of them, the gateways before the workers, whose results they wait for.
 */
export function runProcesses(options: ProcessesOptions): Running {
  const { config, databaseUrl, processes, say, stopping, constants } = options;
  const killAfter = constants.killAfter + config.drainSeconds * 1_000;
  const isColored = process.stdout.isTTY && process.stdout.hasColors();
  const stops = processes.map(({ name, command, opsPort }, i) => {
    const color = COLORS[i % COLORS.length];
    const label = color && isColored ? styleText(color, `[${name}]`) : `[${name}]`;
    const ports = { PORT: String(config.port), OPS_PORT: String(opsPort) };
    return keepRunning({
      ...{ command, env: { ...process.env, DATABASE_URL: databaseUrl, ...ports } },
      tell: (line) => say(`${label} ${line}\n`),
      ...{ stopping, killAfter },
    });
  });
  const stopAll = async (kind: ProcessKind) => {
    await Promise.all(stops.filter((_, i) => processes[i]?.kind === kind).map((stop) => stop()));
  };
  return stopOnce(async () => {
    await stopAll('gateway');
    await stopAll('worker');
  });
}

/** Starts a command without a shell in between, which would not pass signals on. */
function launch(command: string, env: NodeJS.ProcessEnv, tell: (line: string) => void) {
  // The channel tells a process that we are gone, should we be killed.
  const child = spawn(`exec ${command}`, {
    ...{ shell: true, env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on('line', tell);
  }
  return child;
}

interface KeepOptions {
  command: string;
  env: NodeJS.ProcessEnv;
  /** Prints a line of the process, or about it. */
  tell: (line: string) => void;
  stopping: AbortSignal;
  /** How long it may take to end before it is killed, in ms. */
  killAfter: number;
}

/**
 * Restarts the process when it ends; the function that it returns stops it. Ctrl-C reaches all of them
 * at once: a worker then ends while a gateway still drains, and must not come back.
 */
function keepRunning({ command, env, tell, stopping, killAfter }: KeepOptions) {
  let pause = MIN_RESTART_DELAY;
  let restart: NodeJS.Timeout | undefined;
  let running: { child: ChildProcess; ended: Promise<void> } | undefined;

  const startAgain = (startedAt: number, how: unknown) => {
    running = undefined;
    if (stopping.aborted) return;
    if (performance.now() - startedAt >= RESTART_RESET) pause = MIN_RESTART_DELAY;
    tell(`ended (${how}) and starts again in ${pause / 1_000} s`);
    restart = setTimeout(start, pause);
    pause = Math.min(pause * 2, MAX_RESTART_DELAY);
  };
  const start = () => {
    const startedAt = performance.now();
    const child = launch(command, env, tell);
    const ended = once(child, 'close').then(
      ([code, signal]) => startAgain(startedAt, code ?? signal),
      // It could not be started.
      ({ message }: Error) => startAgain(startedAt, message),
    );
    running = { child, ended };
  };

  start();
  stopping.addEventListener('abort', () => clearTimeout(restart));
  return async (): Promise<void> => {
    if (!running) return;
    const { child, ended } = running;
    const bound = setTimeout(() => {
      tell(`did not end within ${killAfter / 1_000} s and is killed`);
      child.kill('SIGKILL');
    }, killAfter);
    child.kill('SIGTERM');
    await ended;
    clearTimeout(bound);
  };
}
