import { writeSync } from 'node:fs';
import { asError } from './operator-error.ts';

/** Node makes the pipe non-blocking when the stream is first used, so a full pipe refuses a write. */
const { fd: STDOUT } = process.stdout;

/** Whether the end of the last line was dropped. */
let isCut = false;

/**
 * Writes lines to stdout. Lines are dropped when the disk is full or the reader is too slow: the
 * process must neither wait nor end for them. After a line that was cut, a new line starts.
 *
 * @returns whether there may be a reader: false when the pipe or terminal has been closed.
 */
export function writeOut(lines: string): boolean {
  try {
    const bytes = Buffer.from(isCut ? `\n${lines}` : lines);
    isCut = writeSync(STDOUT, bytes) < bytes.length;
    return true;
  } catch (error) {
    return !isOutputClosed(asError(error), process.stdout);
  }
}

/** Whether this error of an output means that its pipe or terminal has been closed. */
export function isOutputClosed({ code }: NodeJS.ErrnoException, output: NodeJS.WriteStream) {
  return code === 'EPIPE' || (code === 'EIO' && output.isTTY);
}

/** Ends a program with a sentence and exit code 1 when stdout does not take its result. */
export function endWithoutOutput(): void {
  process.stdout.on('error', (error) => {
    if (isOutputClosed(error, process.stdout)) return;
    console.error(`The result cannot be written: ${error.message}.`);
    process.exit(1);
  });
}
