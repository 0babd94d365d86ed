import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Shows a prompt and gives the next line of standard input, or null when there is none. */
type NextLine = (prompt: string) => Promise<string | null>;

/** Asks a person at standard input, or a program at the other end of a pipe. */
export interface Ask {
  isPerson: boolean;
  /** Lines that a person sees while typing them. */
  forLine: NextLine;
  /** Lines that a person does not see while typing them. */
  forSecrets<T>(read: (next: NextLine) => Promise<T>): Promise<T>;
}

export interface AskOptions {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  /** Shows a prompt; a program gets none. */
  say: (text: string) => void;
  /** Ends the question without an answer. */
  interrupted: AbortSignal;
}

/** Keeps what is typed off the terminal. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

export function createAsk({ input, say, interrupted }: AskOptions): Ask {
  const isPerson = input.isTTY === true;
  const withLines = async <T>(isSecret: boolean, read: (next: NextLine) => Promise<T>) => {
    // Only as a terminal of its own does readline take the echo away from the kernel.
    const terminal = isPerson && isSecret;
    const reader = createInterface({ input, output: nowhere(), terminal, historySize: 0 });
    // The kernel makes no signal of Ctrl-C meanwhile.
    reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const close = () => reader.close();
    interrupted.addEventListener('abort', close);
    if (interrupted.aborted) close();
    const lines = reader[Symbol.asyncIterator]();
    try {
      return await read(async (prompt) => {
        if (isPerson) say(prompt);
        const { value, done } = await lines.next();
        if (terminal) say('\n');
        return done ? null : value;
      });
    } finally {
      interrupted.removeEventListener('abort', close);
      reader.close();
    }
  };
  return {
    isPerson,
    forLine: (prompt) => withLines(false, (next) => next(prompt)),
    forSecrets: (read) => withLines(true, read),
  };
}
