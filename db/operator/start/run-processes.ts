import { readFile } from 'node:fs/promises';
import { type Command, createConcurrently, Logger, LogOutput } from 'concurrently';
import { type Config, type ProcessKind, processKinds } from '../../runtime/config.ts';
import type { Constants } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { type Running, stopOnce } from '../../runtime/running.ts';

/** A process that ran for this long is started again after the shortest pause, in s. */
const RESTART_RESET_SECONDS = 60;

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

/** The first descriptor that is not one of the standard streams. */
const ipcDescriptor = 3;

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
  const logger = new Logger({ prefixFormat: '[{name}]' });
  logger.output.subscribe(({ text }) => say(text));
  const { commands, result } = createConcurrently(
    processes.map(({ name, command, opsPort }) => ({
      name,
      // Without exec a signal would reach a shell, which does not pass it on.
      command: `exec ${command}`,
      env: { DATABASE_URL: databaseUrl, PORT: config.port, OPS_PORT: opsPort },
      // The channel tells a process that we are gone, should we be killed.
      ipc: ipcDescriptor,
    })),
    {
      logger,
      prefixColors: ['auto'],
      controllers: [new LogOutput({ logger })],
      // The default looks for descendants with ps(1), which a small system does not have.
      kill: (pid, signal) => process.kill(pid, signal),
    },
  );
  // It settles when all have ended, with a verdict on their exit codes; we start them again.
  result.catch(() => undefined);

  const killAfter = constants.killAfter + config.drainSeconds * 1_000;
  const stops = commands.map((command) =>
    keepRunning(command, logger, stopping, { ...constants, killAfter }),
  );
  const stopAll = async (kind: ProcessKind) => {
    await Promise.all(stops.filter((_, i) => processes[i]?.kind === kind).map((stop) => stop()));
  };
  return stopOnce(async () => {
    await stopAll('gateway');
    await stopAll('worker');
  });
}

/**
 * Restarts the process when it ends; the function that it returns stops it. Ctrl-C reaches all of them
 * at once: a worker then ends while a gateway still drains, and must not come back. concurrently's own
 * restarts leave out exit code 0, never shorten the pause again, and would restart what was killed.
 */
function keepRunning(
  command: Command,
  logger: Logger,
  stopping: AbortSignal,
  constants: RestartConstants,
): () => Promise<void> {
  let pauseMs = MIN_RESTART_DELAY;
  let restart: NodeJS.Timeout | undefined;
  command.close.subscribe(({ exitCode, timings }) => {
    if (stopping.aborted) return;
    if (timings.durationSeconds >= RESTART_RESET_SECONDS) pauseMs = MIN_RESTART_DELAY;
    const seconds = pauseMs / 1_000;
    logger.logCommandEvent(`ended (${exitCode}) and starts again in ${seconds} s`, command);
    restart = setTimeout(() => command.start(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, MAX_RESTART_DELAY);
  });
  stopping.addEventListener('abort', () => clearTimeout(restart));
  return async () => {
    if (command.state === 'started') await end(command, logger, constants.killAfter);
  };
}

async function end(command: Command, logger: Logger, killAfter: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    command.close.subscribe(() => resolve());
  });
  const bound = setTimeout(() => {
    logger.logCommandEvent(`did not end within ${killAfter / 1_000} s and is killed`, command);
    command.kill('SIGKILL');
  }, killAfter);
  command.kill('SIGTERM');
  await closed;
  clearTimeout(bound);
}
