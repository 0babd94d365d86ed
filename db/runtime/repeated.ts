import { stopOnce } from './running.ts';

interface RepeatedOptions {
  /** @param goesOn false when it is stopped */
  work(goesOn: () => boolean): Promise<void>;
  onFailure(error: unknown): void;
  /** Called when it has succeeded and no further run is asked for. */
  onEnd?(): void;
  /** Milliseconds after a failure, and after `MOST_ROUNDS` in a row. */
  pause: number;
}

/** Without a pause: an address may lead to one database now, and to another one a moment later. */
const MOST_ROUNDS = 5;

/** Work that is repeated until it succeeds. However often it is asked for, it runs once at a time. */
export function createRepeated({ work, onFailure, onEnd, pause }: RepeatedOptions) {
  let isDue = false;
  let isStopped = false;
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;

  const runRounds = async () => {
    for (let round = 0; isDue && !isStopped && round < MOST_ROUNDS; round += 1) {
      isDue = false;
      try {
        await work(() => !isStopped);
      } catch (error) {
        isDue = true;
        onFailure(error);
        return;
      }
    }
  };
  const begin = () => {
    retry = undefined;
    running = runRounds().then(() => {
      running = undefined;
      if (isStopped) return;
      if (isDue) retry = setTimeout(begin, pause);
      else onEnd?.();
    });
  };

  return {
    /** While it runs, it is asked for once more. */
    ask: () => {
      isDue = true;
      if (!running && !retry && !isStopped) begin();
    },
    /** Whether it was asked for since it began. */
    isDue: () => isDue,
    /** Whether it runs or is to run. */
    isOpen: () => isDue || running !== undefined,
    ...stopOnce(async () => {
      isStopped = true;
      clearTimeout(retry);
      await running;
    }),
  };
}
