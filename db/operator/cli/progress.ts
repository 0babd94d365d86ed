import type { Context } from './command.ts';

/** Where nothing can be written over, so many steps are a line, or a hundredth of a longer work. */
const STEPS_A_LINE = 100;
/** Clears the line on which the cursor stands, and goes to its beginning. */
const CLEAR = '\r\u001b[K';

/** Shows on stderr what goes on. */
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
