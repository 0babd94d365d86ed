import type { Context } from './command.ts';

/** Where nothing can be written over, every hundredth step is a line. */
const LINE_EVERY = 100;
/** Clears the line on which the cursor stands, and goes to its beginning. */
const CLEAR = '\r\u001b[K';

/** Shows on stderr what goes on. */
export function createProgress(
  err: (text: string) => void,
  isTerminal: boolean,
): Pick<Context, 'progress' | 'progressOf'> {
  return {
    progress: (line) => err(`${line}\n`),
    progressOf: (what, done, total) => {
      const text = `${what} ${done} of ${total}`;
      if (isTerminal) err(`${CLEAR}${text}${done === total ? '\n' : ''}`);
      else if (done % LINE_EVERY === 0) err(`${text}\n`);
    },
  };
}
