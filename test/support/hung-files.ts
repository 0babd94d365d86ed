import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../bench/processes/usage.ts';

/** The handles that keep this process alive, such as `2 Timeout, 1 TCPSocketWrap`. */
function openHandles(): string {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
}

/**
 * Ends this process with a sentence when it still lives after a time.
 *
 * @param what hangs then
 * @returns a function that ends the watch
 */
export function watch(what: string, boundMs: number): () => void {
  const timer = setTimeout(() => {
    console.error(`${what} has not ended in ${boundMs / 1_000} s. Open are: ${openHandles()}.`);
    process.exit(1);
  }, boundMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/**
 * Ends the processes in which a file takes longer than `watch` lets it: they run no timers.
 *
 * @param marks the folder of the run's programs and marks, as `runInTurn` leaves them
 * @param files of the run
 * @returns the files that hang
 */
export function endBlocked(marks: string, files: readonly string[], boundMs: number): string[] {
  const began = readdirSync(marks).filter((name) => /^\d+$/.test(name));
  return began.flatMap((name) => {
    const mark = join(marks, name);
    if (existsSync(`${mark}.json`) || Date.now() - statSync(mark).mtimeMs < boundMs) return [];
    const pid = Number(readFileSync(mark, 'utf8'));
    // One that has ended may have left its number to another program.
    if (!commandLine(pid).some((part) => part.startsWith(marks))) return [];
    process.kill(pid, 'SIGKILL');
    return [files[Number(name)] ?? name];
  });
}
