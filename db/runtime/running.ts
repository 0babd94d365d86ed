/** Something long-lived; `stop` resolves when it has really stopped and tolerates a second call. */
export interface Running {
  stop(): Promise<void>;
}

/** A process's work. */
export interface RunningProcess extends Running {
  /** Resolves when it takes nothing new any more, before it is stopped. */
  retire?(): Promise<void>;
}

/** Makes `stop` idempotent: a later call waits for what the first one does. */
export function stopOnce(stop: () => Promise<void>): Running {
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
