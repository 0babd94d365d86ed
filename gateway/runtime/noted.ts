import type { Logger } from 'pino';
import { stopOnce } from '../../db/runtime/running.ts';

interface NotedOptions<T> {
  /** Writes notes down, one of each name, at most `maxItems`. */
  write(notes: readonly T[]): Promise<void>;
  nameOf(note: T): string;
  /** The note that holds what both say; by default the later one. */
  merge?(former: T, later: T): T;
  /** Milliseconds from the first unwritten note to the write. */
  interval: number;
  maxItems: number;
  /** Named in the log when a write fails; it is tried again. */
  what: string;
  log: Logger;
}

/** Notes that are written down together now and then, the last one of each name. */
export function createNoted<T>(options: NotedOptions<T>) {
  const { write, nameOf, merge = (_, later) => later, interval, maxItems, what, log } = options;
  let unwritten = new Map<string, T>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const add = (name: string, one: T) => {
    const former = unwritten.get(name);
    unwritten.set(name, former === undefined ? one : merge(former, one));
  };
  const writeAll = async () => {
    const notes = [...unwritten];
    unwritten = new Map();
    while (notes.length > 0) {
      const batch = notes.slice(0, maxItems);
      try {
        await write(batch.map(([, note]) => note));
        notes.splice(0, batch.length);
      } catch (error) {
        log.warn({ err: error }, `could not note ${what}; will retry`);
        const later = unwritten;
        unwritten = new Map(notes);
        for (const [name, one] of later) add(name, one);
        return;
      }
    }
  };
  const flush = () => {
    timer = undefined;
    writing = writeAll().then(() => {
      if (unwritten.size > 0) arm();
    });
  };
  const arm = () => {
    if (!isStopped) timer ??= setTimeout(flush, interval);
  };

  return {
    note: (one: T) => {
      add(nameOf(one), one);
      arm();
    },
    // Writes what is still unwritten.
    ...stopOnce(async () => {
      isStopped = true;
      clearTimeout(timer);
      await writing;
      if (unwritten.size > 0) await writeAll();
    }),
  };
}
