import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

/** Sentences about hung files, beside the marks of a run. */
const NOTES = 'hung.txt';

/**
 * Ends this process with a sentence when it still lives after a time.
 *
 * @param marks the folder in which `notesOfHung` finds the sentence
 * @param what says what hangs then
 * @returns a function that ends the watch
 */
export function watch(marks: string, what: () => string, boundMs: number): () => void {
  const timer = setTimeout(() => {
    const open = `Open are: ${openHandles()}.`;
    const sentence = `${what()} has not ended in ${boundMs / 1_000} s. ${open}\n`;
    process.stderr.write(sentence);
    appendFileSync(join(marks, NOTES), sentence);
    process.exit(1);
  }, boundMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** The marks of the files that have begun and not ended. */
const openMarks = (marks: string): string[] =>
  readdirSync(marks).filter(
    (name) => /^\d+$/.test(name) && !existsSync(join(marks, `${name}.json`)),
  );

/** Sentences about what has not ended, hung or not; the parameters are those of `endBlocked`. */
export function notesOfHung(marks: string, files: readonly string[]): string[] {
  const notes = join(marks, NOTES);
  return [
    ...openMarks(marks).map((name) => `${files[Number(name)]} has not ended.`),
    ...(existsSync(notes) ? [readFileSync(notes, 'utf8').trim()] : []),
  ];
}

/**
 * Ends the processes in which a file takes longer than `watch` lets it: they run no timers.
 *
 * @param marks the folder of the run's programs and marks, as `runInTurn` leaves them
 * @param files of the run
 * @returns the files that hang
 */
export function endBlocked(marks: string, files: readonly string[], boundMs: number): string[] {
  return openMarks(marks).flatMap((name) => {
    const mark = join(marks, name);
    if (Date.now() - statSync(mark).mtimeMs < boundMs) return [];
    const pid = Number(readFileSync(mark, 'utf8'));
    // One that has ended may have left its number to another program.
    if (!commandLine(pid).some((part) => part.startsWith(marks))) return [];
    process.kill(pid, 'SIGKILL');
    return [files[Number(name)] ?? name];
  });
}
