import type { Context } from './command.ts';

/** Outside a terminal: one line for so many steps, or for a hundredth of the work if that is more. */
const STEPS_A_LINE = 100;
/** Clears the cursor's line. */
const CLEAR = '\r\u001b[K';

/** Shows on stderr how far a command has come. */
export function createProgress(
  err: (text: string) => void,
  isTerminal: boolean,
): Pick<Context, 'progress' | 'progressOf'> {
  let lines = 0;
  return {
    progress: (line) => err(`${line}\n`),
    progressOf: (what, done, total) => {
      const text = `${what} ${done} of ${total}`;
      if (isTerminal) {
        err(`${CLEAR}${text}${done === total ? '\n' : ''}`);
        return;
      }
      const due = Math.floor(done / Math.max(STEPS_A_LINE, total / 100));
      if (due > lines) err(`${text}\n`);
      lines = due;
    },
  };
}
