import { type Command, createConcurrently, Logger, LogOutput } from 'concurrently';
import type { Config, ProcessKind } from '../../runtime/config.ts';
import { constants } from '../../runtime/constants.ts';
import type { Running } from '../../runtime/running.ts';
import type { Process } from './processes.ts';

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A process that has run this long starts again with the shortest pause when it dies. */
const healthyAfterSeconds = 60;
/** The first descriptor that is not one of the standard streams. */
const ipcDescriptor = 3;

/**
 * Starts the processes and shows their output, each line behind its process's name. One that
 * ends by itself is started again, after a pause that doubles while it keeps dying. `stop` ends them
 * all, gateways before the workers for which they wait.
 */
export function runProcesses(
  config: Config,
  databaseUrl: string,
  processes: Process[],
  say: (text: string) => void,
): Running {
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

  const stops = commands.map((command) => keepRunning(command, logger));
  const stopAll = async (kind: ProcessKind) => {
    await Promise.all(stops.filter((_, i) => processes[i]?.kind === kind).map((stop) => stop()));
  };
  return {
    stop: async () => {
      await stopAll('gateway');
      await stopAll('worker');
    },
  };
}

/** Starts the process again whenever it ends, until the function that it returns is called. */
function keepRunning(command: Command, logger: Logger): () => Promise<void> {
  let pauseMs = firstPauseMs;
  let stopping = false;
  let restart: NodeJS.Timeout | undefined;
  command.close.subscribe(({ exitCode, timings }) => {
    if (stopping) return;
    if (timings.durationSeconds >= healthyAfterSeconds) pauseMs = firstPauseMs;
    const seconds = pauseMs / 1_000;
    logger.logCommandEvent(`ended (${exitCode}) and starts again in ${seconds} s`, command);
    restart = setTimeout(() => command.start(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  });
  return async () => {
    stopping = true;
    clearTimeout(restart);
    if (command.state === 'started') await end(command, logger);
  };
}

async function end(command: Command, logger: Logger): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    command.close.subscribe(() => resolve());
  });
  const bound = setTimeout(() => {
    logger.logCommandEvent(
      `did not end within ${constants.stopBound / 1_000} s and is killed`,
      command,
    );
    command.kill('SIGKILL');
  }, constants.stopBound);
  command.kill('SIGTERM');
  await closed;
  clearTimeout(bound);
}
