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

interface TurnLoop extends Running {
  /** Looks for jobs as soon as a turn is free. */
  wake(): void;
  /** A job was sent. */
  onNotice(): void;
}

type HoldConstants = Pick<Constants, 'latesBeforeHold' | 'firstHold' | 'longestHold'>;

/** How long a look waits after its notice. */
function createHold({ latesBeforeHold, firstHold, longestHold }: HoldConstants) {
  let lates = 0;
  let hold = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    isOn: () => hold > 0,
    /** Calls `wake` once for all notices until then. */
    after: (wake: () => void) => {
      if (hold === 0) wake();
      else timer ??= setTimeout(wake, hold);
    },
    end: () => {
      clearTimeout(timer);
      timer = undefined;
    },
    drop: () => {
      lates = 0;
      hold = 0;
    },
    /** A look came too late. */
    lengthen: () => {
      lates += 1;
      if (lates < latesBeforeHold) return;
      hold = Math.min(Math.max(2 * hold, firstHold), longestHold);
    },
  };
}

/** The task of a look: to claim all that is there, or only where this worker is needed. */
type Asked = 'claim' | 'look' | null;

/** The next look, which others may ask for. */
function createNextLook(untilPoll: () => number) {
  let asked: Asked = 'claim';
  let rouse = () => {};
  return {
    ask: (what: 'claim' | 'look') => {
      if (asked !== 'claim') asked = what;
      rouse();
    },
    /** The task until now. */
    begin: (): Asked => {
      const was = asked;
      asked = null;
      return was;
    },
    rouse: () => rouse(),
    /** Resolves when one is asked for, and when it is time for a poll. */
    rest: async () => {
      if (asked) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, untilPoll());
        rouse = () => {
          clearTimeout(timer);
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
  let isStopped = false;
  let isNoticed = false;
  let notices = 0;
  const hold = createHold(constants);
  const next = createNextLook(untilPoll);
  const ask = (what: 'claim' | 'look') => {
    hold.end();
    next.ask(what);
  };
  const wake = () => ask('claim');
  const lookLater = () => hold.after(() => ask('look'));

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
    isNoticed = false;
    const mayClaim = next.begin() === 'claim' || !hold.isOn() || (await isNeeded());
    const jobs = mayClaim ? await claim() : [];
    if (jobs.length > 0) start(jobs, noticesBefore);
    if (jobs.length === batchSize) wake();
    if (jobs.length > 0) hold.drop();
    else if (wasNoticed && running.size === 0 && !isBusy()) hold.lengthen();
    // The last jobs may have been too young to tell.
    if (!mayClaim && wasNoticed) lookLater();
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
    wake,
    onNotice: () => {
      notices += 1;
      isNoticed = true;
      lookLater();
    },
    // Waits for the turns under way.
    ...stopOnce(async () => {
      isStopped = true;
      hold.end();
      next.rouse();
      await done;
    }),
  };
}
