import { writeSync } from 'node:fs';

/** To take its number from the stream makes Node let a full pipe refuse a write instead of blocking. */
const { fd: STDOUT } = process.stdout;

/** Whether what was written last lacks its end, for which there was no room. */
let isCut = false;

/**
 * Writes lines on stdout, and drops what it does not take, for which nobody shall wait or end: its
 * disk is full, or its reader has fallen behind. What follows a line that was cut starts a new one.
 *
 * @returns whether there may be a reader: false when the pipe or terminal has been closed.
 */
export function writeOut(lines: string): boolean {
  try {
    const bytes = Buffer.from(isCut ? `\n${lines}` : lines);
    isCut = writeSync(STDOUT, bytes) < bytes.length;
    return true;
  } catch (error) {
    return !isClosed(error as NodeJS.ErrnoException, process.stdout);
  }
}

/** Whether this error of an output means that its pipe or terminal has been closed. */
export function isClosed({ code }: NodeJS.ErrnoException, output: NodeJS.WriteStream): boolean {
  return code === 'EPIPE' || (code === 'EIO' && output.isTTY);
}

/** Ends a program with a sentence and exit code 1 when stdout does not take its result. */
export function endWithoutOutput(): void {
  // Ahead of a listener of slonik's, which throws.
  process.stdout.prependListener('error', (error) => {
    if (isClosed(error, process.stdout)) return;
    console.error(`The result cannot be written: ${error.message}.`);
    process.exit(1);
  });
}
