import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';

interface TurnLoopOptions<J> {
  /** Whether a job has waited for so long that the workers which have the work need help. */
  isNeeded(): Promise<boolean>;
  /** Whether work is under way beside the turns, for which notices come, too. */
  isBusy(): boolean;
  /** Takes jobs from the queue, `batchSize` at most. */
  claim(): Promise<readonly J[]>;
  batchSize: number;
  /** Does the work of jobs, and says whether others may be left; it never rejects. */
  take(jobs: readonly J[]): Promise<boolean>;
  /** Milliseconds after which it looks without a notice. */
  untilPoll(): number;
  log: Logger;
  constants: HoldConstants & Pick<Constants, 'turnsInParallel' | 'retryDelay'>;
}

export interface TurnLoop extends Running {
  /** Looks for jobs as soon as a turn is free: notices may have been lost. */
  wake(): void;
  /** A job was sent. */
  onNotice(): void;
}

type HoldConstants = Pick<Constants, 'latesBeforeHold' | 'firstHold' | 'longestHold'>;

/** The next look, which may be asked for, and how long it waits after its notice. */
function createNextLook(
  untilPoll: () => number,
  { latesBeforeHold, firstHold, longestHold }: HoldConstants,
) {
  let asked: 'claim' | 'look' | null = 'claim';
  let lates = 0;
  let hold = 0;
  let timer: NodeJS.Timeout | undefined;
  let rouse = () => {};
  /** Asks for one that claims all that is there, or only where this worker is needed. */
  const ask = (what: 'claim' | 'look') => {
    clearTimeout(timer);
    timer = undefined;
    if (asked !== 'claim') asked = what;
    rouse();
  };
  return {
    ask,
    /** Asks once for all notices until then. */
    askLater: () => {
      if (hold === 0) ask('look');
      else timer ??= setTimeout(() => ask('look'), hold);
    },
    /** @returns whether it may claim jobs, needed or not */
    begin: () => {
      const isFree = asked === 'claim' || hold === 0;
      asked = null;
      return isFree;
    },
    hasFound: () => {
      lates = 0;
      hold = 0;
    },
    wasLate: () => {
      lates += 1;
      if (lates >= latesBeforeHold) hold = Math.min(Math.max(2 * hold, firstHold), longestHold);
    },
    /** Resolves when one is asked for, and when it is time for a poll. */
    rest: async () => {
      if (asked) return;
      await new Promise<void>((resolve) => {
        const poll = setTimeout(resolve, untilPoll());
        rouse = () => {
          clearTimeout(poll);
          resolve();
        };
      });
    },
  };
}

/**
 * Claims jobs and has them done: when it hears of one, when a turn has ended that may have been in the
 * way of one, and after `untilPoll`, because a notice may be lost.
 *
 * All workers hear of each job, and one gets it. A worker that comes too late a few times leaves the
 * work to the others: it looks later, then only whether a job has waited for long, and claims jobs
 * again once one has. So the work stays with as few workers as are fast enough. They have the menus in
 * memory, do many writes in one transaction, and the others cost little.
 */
export function startTurnLoop<J>(options: TurnLoopOptions<J>): TurnLoop {
  const { isNeeded, isBusy, claim, batchSize, take, untilPoll, log, constants } = options;
  const running = new Set<Promise<void>>();
  const next = createNextLook(untilPoll, constants);
  let isStopped = false;
  let notices = 0;
  let noticesSeen = 0;

  const start = (jobs: readonly J[], noticesBefore: number) => {
    const turn = take(jobs).then((hasMore) => {
      running.delete(turn);
      // The next job of a restaurant could not be had while the turn lasted.
      if (hasMore || notices > noticesBefore) next.ask('claim');
    });
    running.add(turn);
  };
  const look = async () => {
    const wasNoticed = notices > noticesSeen;
    noticesSeen = notices;
    const mayClaim = next.begin() || (await isNeeded());
    const jobs = mayClaim ? await claim() : [];
    if (jobs.length > 0) {
      start(jobs, noticesSeen);
      next.hasFound();
    } else if (wasNoticed && running.size === 0 && !isBusy()) next.wasLate();
    if (jobs.length === batchSize) next.ask('claim');
    // The last jobs may have been too young to tell.
    if (!mayClaim && wasNoticed) next.askLater();
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
      if (!isStopped) await next.rest();
    }
    await Promise.all(running);
  };
  const done = run();

  return {
    wake: () => next.ask('claim'),
    onNotice: () => {
      notices += 1;
      next.askLater();
    },
    // Waits for the turns under way.
    ...stopOnce(async () => {
      isStopped = true;
      next.ask('look');
      await done;
    }),
  };
}
