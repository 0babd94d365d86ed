/**
 * Calls `stop` once, when a signal asks this process to end or when the parent that holds its IPC
 * channel is gone: a process of the Procfile does not outlive a start that was killed. Further
 * signals change nothing; the process ends when `stop` has left nothing to do.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const once = () => {
    if (stopping) return;
    stopping = true;
    stop().catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, once);
  process.on('disconnect', once);
  // Listening for the parent's end must not keep the process running.
  process.channel?.unref();
}
