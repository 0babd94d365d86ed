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
  log: Logger;
  constants: Pick<
    Constants,
    'turnsInParallel' | 'workerPollSeconds' | 'vainNotices' | 'retryDelay'
  >;
}

interface TurnLoop extends Running {
  /** Looks for jobs as soon as a turn is free. */
  wake(): void;
  /** A job was sent. */
  onNotice(): void;
}

/**
 * Claims jobs and has them done: when it hears of one, when a turn has ended that may have been in the
 * way of one, and every `workerPollSeconds`, because a notice may be lost.
 *
 * All workers hear of each job, and one gets it. A worker that has come too late for several in a row
 * ignores notices until its next poll: others are fast enough. So menus stay in the memory of few
 * workers, and workers that are not needed cost little. A poll that finds jobs brings them back.
 */
export function startTurnLoop<J>(options: TurnLoopOptions<J>): TurnLoop {
  const { claim, batchSize, take, log, constants } = options;
  const running = new Set<Promise<void>>();
  let isStopped = false;
  let isAsked = true;
  let isNoticed = false;
  let notices = 0;
  let inVain = 0;
  let rouse = () => {};
  const wake = () => {
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
    const isVain = jobs.length === 0 && wasNoticed && running.size === 0;
    inVain = isVain ? inVain + 1 : 0;
  };
  /** Resolves when somebody asks for a look, and when it is time for a poll. */
  const rest = async () => {
    if (isAsked || isStopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        inVain = 0;
        resolve();
      }, constants.workerPollSeconds * 1_000);
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
      if (inVain >= constants.vainNotices) return;
      isNoticed = true;
      wake();
    },
    // Waits for the turns under way.
    ...stopOnce(async () => {
      isStopped = true;
      rouse();
      await done;
    }),
  };
}
