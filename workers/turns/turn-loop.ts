import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';

interface TurnLoopOptions<J> {
  /** Takes jobs from the queue, `batchSize` at most. */
  claim(): Promise<readonly J[]>;
  batchSize: number;
  /** Does the work of jobs, and says whether others may be left; it never rejects. */
  take(jobs: readonly J[]): Promise<boolean>;
  /** Milliseconds after which it looks without a notice. */
  untilPoll(): number;
  log: Logger;
  constants: Pick<Constants, 'turnsInParallel' | 'firstHold' | 'longestHold' | 'retryDelay'>;
}

interface TurnLoop extends Running {
  /** Looks for jobs as soon as a turn is free. */
  wake(): void;
  /** A job was sent. */
  onNotice(): void;
}

/** How long a look waits after its notice. */
function createHold({ firstHold, longestHold }: Pick<Constants, 'firstHold' | 'longestHold'>) {
  let hold = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Calls `wake` once for all notices until then. */
    after: (wake: () => void) => {
      if (hold === 0) wake();
      else timer ??= setTimeout(wake, hold);
    },
    end: () => {
      clearTimeout(timer);
      timer = undefined;
    },
    shorten: () => {
      hold = 0;
    },
    lengthen: () => {
      hold = Math.min(Math.max(2 * hold, firstHold), longestHold);
    },
  };
}

/**
 * Claims jobs and has them done: when it hears of one, when a turn has ended that may have been in the
 * way of one, and after `untilPoll`, because a notice may be lost.
 *
 * All workers hear of each job, and one gets it. A worker that came too late holds its next look back:
 * for `firstHold`, twice as long each further time, and no longer once it finds a job. So the work stays
 * with as few workers as are fast enough. They have the menus in memory, do many writes in one
 * transaction, and the others cost little.
 */
export function startTurnLoop<J>(options: TurnLoopOptions<J>): TurnLoop {
  const { claim, batchSize, take, untilPoll, log, constants } = options;
  const running = new Set<Promise<void>>();
  let isStopped = false;
  let isAsked = true;
  let isNoticed = false;
  let notices = 0;
  const hold = createHold(constants);
  let rouse = () => {};
  const wake = () => {
    hold.end();
    isAsked = true;
    rouse();
  };

  const start = (jobs: readonly J[], noticesBefore: number) => {
    const turn = take(jobs).then((hasMore) => {
      running.delete(turn);
      // The next job of a restaurant could not be had while the turn lasted.
      if (hasMore || notices > noticesBefore) wake();
    });
    running.add(turn);
  };
  const look = async () => {
    const wasNoticed = isNoticed;
    const noticesBefore = notices;
    isAsked = false;
    isNoticed = false;
    const jobs = await claim();
    if (jobs.length > 0) start(jobs, noticesBefore);
    isAsked ||= jobs.length === batchSize;
    if (jobs.length > 0) hold.shorten();
    else if (wasNoticed && running.size === 0) hold.lengthen();
  };
  /** Resolves when somebody asks for a look, and when it is time for a poll. */
  const rest = async () => {
    if (isAsked || isStopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, untilPoll());
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };
  const run = async () => {
    while (!isStopped) {
      if (running.size >= constants.turnsInParallel) {
        await Promise.race(running);
        continue;
      }
      try {
        await look();
      } catch (error) {
        log.warn({ err: error }, 'the look for jobs of restaurants failed; it will be tried again');
        await sleep(constants.retryDelay);
      }
      await rest();
    }
    await Promise.all(running);
  };
  const done = run();

  return {
    wake,
    onNotice: () => {
      notices += 1;
      isNoticed = true;
      hold.after(wake);
    },
    // Waits for the turns under way.
    ...stopOnce(async () => {
      isStopped = true;
      hold.end();
      rouse();
      await done;
    }),
  };
}
