/** Something long-lived; `stop` resolves when it has really stopped and tolerates a second call. */
export interface Running {
  stop(): Promise<void>;
}

/** A process's work. */
export interface RunningProcess extends Running {
  /** Takes nothing new any more, before it is stopped. */
  retire?(): void;
}

/** Makes of a way to stop that may be gone once something that may be asked to stop often. */
export function runningUntil(stop: () => Promise<void>): Running {
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
