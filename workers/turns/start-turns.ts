import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from '../../db/postgres/outage.ts';
import { pipelined } from '../../db/postgres/sql.ts';
import { bindJobTransaction, inQueueTransaction, withCommit } from '../../db/queue/boss.ts';
import { DUE, dueJobId, putBack, QUICK, SLOW } from '../../db/queue/restaurant-jobs.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { stopOnce } from '../../db/runtime/running.ts';
import { queues, type RestaurantJob } from '../../db/schema/queues.ts';
import { hasWaitedFor } from '../../db/sql/jobs.ts';
import { skipFlush } from '../../db/sql/transactions.ts';
import type { LookShares } from '../housekeeping/look-shares.ts';
import { readAhead } from './read-menu.ts';
import { type Job, serveAll, type TurnContext } from './turn.ts';
import { startTurnLoop, type TurnLoop } from './turn-loop.ts';

interface TurnsOptions extends TurnContext {
  shares: LookShares;
  constants: Constants;
}

interface OwnOptions extends TurnsOptions {
  /** A job waits to be tried again. */
  onFailure(): void;
  /** False when the worker stops. */
  goesOn(): boolean;
}

const isSlow = ({ priority }: Job) => priority <= SLOW;

/** Whether the other workers are too slow for the jobs that this one could do. */
function isNeeded({ boss, constants }: TurnsOptions, minPriority: number): Promise<boolean> {
  return hasWaitedFor(bindJobTransaction(boss.getDb()), constants.longWait, minPriority);
}

/**
 * Claims jobs. A claim that a crash of Postgres undoes is no loss, so its commit does not wait for the
 * disk.
 *
 * @param minPriority the least one that can be done at present
 */
function claim({ boss, constants }: TurnsOptions, minPriority: number): Promise<Job[]> {
  const range = { minPriority, batchSize: constants.tenantsPerTurn, includeMetadata: true };
  return inQueueTransaction(boss, async (transaction) => {
    const db = withCommit(transaction);
    const [, jobs] = await pipelined(
      skipFlush(transaction.tx),
      boss.fetch<RestaurantJob>(queues.menuWrites, { ...range, db }),
    );
    return jobs as Job[];
  });
}

/** Does something to claimed jobs until it succeeds. In the end their claims run out. */
async function insist(options: OwnOptions, work: () => Promise<unknown>): Promise<void> {
  const { log, constants, goesOn } = options;
  const until = performance.now() + constants.jobHeartbeatExpirySeconds * 1_000;
  do {
    try {
      await work();
      return;
    } catch (error) {
      log.warn({ err: error }, 'jobs of restaurants could not be given back; tried again');
      await sleep(constants.retryDelay);
    }
  } while (goesOn() && performance.now() < until);
}

/** Says nothing about any write: the jobs go back as they were, and a pause follows. */
async function giveBack(options: OwnOptions, jobs: readonly Job[], error: unknown) {
  options.log.warn({ err: error }, 'Postgres is away; the jobs of restaurants wait');
  await insist(options, () => putBack(options.boss, jobs));
  await sleep(options.constants.retryDelay);
  return true;
}

/** The turn of one restaurant alone, whose failure is its own. @returns whether jobs may be left */
async function takeAlone(options: OwnOptions, job: Job): Promise<boolean> {
  const { boss, log } = options;
  const { tenant_id: tenantId } = job.data;
  try {
    return (await serveAll(options, [job], isSlow(job))).hasMore;
  } catch (error) {
    if (isOutage(error)) return giveBack(options, [job], error);
    log.warn({ err: error, tenantId }, 'the turn of a restaurant failed; it will be tried again');
    // The look for what is due finds it again; in the queue it would hold up writes.
    const isDue = job.id === dueJobId(tenantId);
    await insist(options, () =>
      isDue
        ? boss.deleteJob(queues.menuWrites, job.id)
        : boss.fail(queues.menuWrites, [job], error as object),
    );
    options.onFailure();
    return true;
  }
}

/** Jobs that are tried for the first time, and the others in the order of this try. */
function inTryOrder(jobs: readonly Job[]): { first: Job[]; again: Job[] } {
  const first = jobs.filter(({ retryCount }) => retryCount === 0);
  const again = jobs.filter(({ retryCount }) => retryCount > 0);
  // One of them may end the process: those behind it come before it in the next try.
  if (again.some(({ retryCount }) => retryCount % 2 === 0)) again.reverse();
  return { first, again };
}

/**
 * Takes turns until all jobs have had theirs: together, and alone where that fails or has failed.
 *
 * @returns whether jobs may be left
 */
async function takeQuick(options: OwnOptions, jobs: readonly Job[]): Promise<boolean> {
  const { first, again: alone } = inTryOrder(jobs);
  let shared = first;
  let hasMore = false;
  while (shared.length > 0) {
    try {
      const turn = await serveAll(options, shared, false);
      shared = [...turn.left];
      hasMore ||= turn.hasMore;
    } catch (error) {
      if (isOutage(error)) return giveBack(options, [...shared, ...alone], error);
      alone.push(...shared);
      shared = [];
    }
  }
  for (const job of alone) hasMore = (await takeAlone(options, job)) || hasMore;
  return hasMore;
}

/**
 * Takes slow turns one after the other. Those that are not begun go back when one takes long: another
 * worker may be free for them.
 *
 * @param jobs those in hand, in their order; they leave the list as they are done or go back
 * @returns whether jobs may be left
 */
async function takeSlow(options: OwnOptions, jobs: Job[]): Promise<boolean> {
  const { boss, menus, log, constants, goesOn } = options;
  const putSome = async (others: readonly Job[]) => {
    if (others.length > 0) await insist(options, () => putBack(boss, others));
  };
  /** The turn reads again what could not be read ahead. */
  const prepare = async (next: Job | undefined) => {
    if (!next) return;
    const db = bindJobTransaction(boss.getDb());
    await readAhead(db, menus, next.data.tenant_id).catch((error) => {
      log.warn({ err: error }, 'a menu could not be read ahead of its turn');
    });
  };
  let hasMore = false;
  for (let [job] = jobs; job && goesOn(); [job] = jobs) {
    const prepared = prepare(jobs[1]);
    let returned: Promise<void> | undefined;
    const timer = setTimeout(() => {
      // In the queue the others would lose count of their tries.
      const fresh = jobs.slice(1).filter(({ retryCount }) => retryCount === 0);
      returned = putSome(jobs.splice(1, fresh.length));
    }, constants.slowTurn);
    hasMore = (await takeAlone(options, job)) || hasMore;
    clearTimeout(timer);
    jobs.shift();
    await Promise.all([returned, prepared]);
  }
  await putSome(jobs.splice(0));
  return hasMore;
}

/**
 * Takes the turns of restaurants: quick ones several at a time, and beside them one for what is due,
 * and a slow one. `stop` waits for those under way.
 */
export function startTurns(given: TurnsOptions): TurnLoop {
  const { boss, shares, log, constants } = given;
  const onFailure = () => {
    setTimeout(() => loop.wake(), constants.writeRetryDelaySeconds * 1_000).unref();
  };
  let isStopped = false;
  const options: OwnOptions = { ...given, onFailure, goesOn: () => !isStopped };
  const inHand = new Set<readonly Job[]>();
  const hold = (jobs: readonly Job[], turn: Promise<boolean>) => {
    inHand.add(jobs);
    return turn.finally(() => inHand.delete(jobs));
  };
  /** The turns beside the quick ones. */
  const beside = new Map<number, Promise<void>>();
  const startBeside = (priority: number, jobs: readonly Job[], turn: Promise<boolean>) => {
    const ended = hold(jobs, turn).then(() => {
      beside.delete(priority);
      loop.wake();
    });
    beside.set(priority, ended);
  };
  const least = () => {
    if (beside.has(DUE)) return QUICK;
    return beside.has(SLOW) ? DUE : SLOW;
  };
  const loop = startTurnLoop({
    isNeeded: () => isNeeded(options, least()),
    isBusy: () => beside.size > 0,
    claim: () => claim(options, least()),
    take: async (jobs: readonly Job[]) => {
      const quick = jobs.filter(({ priority }) => priority > DUE);
      const due = jobs.filter(({ priority }) => priority === DUE);
      const { first, again } = inTryOrder(jobs.filter(isSlow));
      const slow = [...first, ...again];
      if (slow.length > 0) startBeside(SLOW, slow, takeSlow(options, slow));
      if (due.length > 0) startBeside(DUE, due, takeQuick(options, due));
      return hold(quick, takeQuick(options, quick));
    },
    batchSize: constants.tenantsPerTurn,
    untilPoll: () => shares.untilNext(constants.turnPoll),
    log,
    constants,
  });
  const heartbeat = setInterval(() => {
    const jobs = [...inHand].flat();
    if (jobs.length === 0) return;
    boss.touch(queues.menuWrites, jobs).catch((error) => {
      log.warn({ err: error }, 'a heartbeat of the jobs of restaurants failed');
    });
  }, constants.jobHeartbeatSeconds * 1_000);
  return {
    onNotice: loop.onNotice,
    wake: loop.wake,
    ...stopOnce(async () => {
      isStopped = true;
      await loop.stop();
      await Promise.all(beside.values());
      clearInterval(heartbeat);
    }),
  };
}
