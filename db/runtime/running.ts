/**
 * Something long-lived; `stop` resolves when it has really stopped and tolerates a second call. A block
 * with `await using` stops it at its end.
 */
export interface Running extends AsyncDisposable {
  stop(): Promise<void>;
}

export interface RunningProcess extends Running {
  /** Resolves when it takes nothing new any more, before it is stopped. */
  retire?(): Promise<void>;
  /** Takes files that were renewed, as SIGHUP asks for. */
  reload?(): void;
}

/** Makes `stop` idempotent: a later call waits for what the first one does. */
export function stopOnce(stop: () => Promise<void>): Running {
  let stopped: Promise<void> | undefined;
  const running: Running = {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
    [Symbol.asyncDispose]: () => running.stop(),
  };
  return running;
}

/**
 * Calls `stop` once, when a signal asks this process to end or when the parent that holds its IPC
 * channel is gone: a process of the Procfile does not outlive a start that was killed. Further
 * signals change nothing; the process ends when `stop` has left nothing to do.
 *
 * @param signals a terminal that closes sends SIGHUP to the programs that it runs
 */
export function stopOnSignal(
  stop: () => Promise<void>,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'],
): void {
  let stopping = false;
  const once = () => {
    if (stopping) return;
    stopping = true;
    stop().catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  };
  for (const signal of signals) process.on(signal, once);
  process.on('disconnect', once);
  // Listening for the parent's end must not keep the process running.
  process.channel?.unref();
}

/** Resolves with `promise`, or after `timeout` ms with what `onTimeout` returns or throws. */
export async function withTimeout<T, L>(
  timeout: number,
  promise: Promise<T>,
  onTimeout: () => L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeout);
  });
  return Promise.race([promise, passed.then(onTimeout)]).finally(() => clearTimeout(timer));
}
