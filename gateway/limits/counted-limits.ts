import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { openSession } from '../../db/postgres/session.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { type Constants, constants as defaults } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import {
  clearEndedWindows,
  countConnections,
  countRequests,
  type WindowAsk,
  type WindowCount,
} from '../../db/sql/limit-windows.ts';
import { addRequests } from '../../db/sql/usage.ts';
import { type ClientAddress, clientNetwork } from '../http/client-address.ts';
import type { Counted } from './client-window.ts';
import { createLimitSync } from './limit-sync.ts';
import type { Limiter } from './limits.ts';
import { Windows } from './windows.ts';

/**
 * Adds up the requests of restaurants that limits have counted, for their usage of a day.
 *
 * @param now milliseconds on a clock that never goes back
 */
function createRequestTally(now: () => number) {
  let noted = new Map<number, number>();
  let savedAt = now();
  const add = (tenantId: number, requests: number) => {
    noted.set(tenantId, (noted.get(tenantId) ?? 0) + requests);
  };
  return {
    /** Notes a report that Postgres has taken. */
    note: (asks: readonly WindowAsk[], counts: readonly (WindowCount | undefined)[]) => {
      asks.forEach(({ tenantId, debt }, at) => {
        const count = counts[at];
        // Of a window that another gateway was creating, all is reported again.
        if (count && debt + count.granted !== 0) add(tenantId, debt + count.granted);
      });
    },
    /** Stores what was noted, once a minute at most; the last time at once. */
    save: async (db: Db, isLast = false) => {
      if (noted.size === 0 || (!isLast && now() - savedAt < defaults.requestTallyInterval)) return;
      savedAt = now();
      const saved = noted;
      noted = new Map();
      try {
        await addRequests(db, saved);
      } catch (error) {
        for (const [tenantId, requests] of saved) add(tenantId, requests);
        throw error;
      }
    },
  };
}

/** Windows that a gateway holds; one takes about 300 bytes. */
const MAX_LIMIT_WINDOWS = 250_000;
/** Gateways that a gateway assumes in its first minute, because others may be starting too. */
const LIMIT_ASSUMED_GATEWAYS = 6;

/** Every gateway has one session of this name, followed by a name of its own. */
const SESSION_PREFIX = 'lavagna limits ';

/**
 * Decides whether a client of a tenant may have one more request (SPEC, "Limits"). All addresses of
 * one `clientNetwork` are the same client.
 */
export type CountedLimits = Awaited<ReturnType<typeof createCountedLimits>>;
export type Limits = Pick<CountedLimits, 'take' | 'pass' | 'left'>;

interface CountedLimitsOptions {
  databaseUrl: string;
  /** Requests a minute. */
  limits: Record<Limiter, number>;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
  log: Logger;
  constants: Constants;
}

/** Calls `tend` again and again, with a pause in between; it says how many ended windows it has cleared. */
function startTending(
  tend: () => Promise<number>,
  log: Logger,
  { limitClearBatch, limitSyncInterval, limitClearInterval }: Constants,
): Running {
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  const tendLater = (pause: number) =>
    setTimeout(() => {
      underWay = tendNow();
    }, pause);
  const tendNow = async () => {
    let cleared = 0;
    try {
      cleared = await tend();
    } catch (error) {
      log.warn({ err: error }, 'could not clear ended limit windows');
    }
    // A full batch says that there is more: what a flood leaves is cleared as fast as it came.
    const isMore = cleared === limitClearBatch;
    if (!stopped) timer = tendLater(isMore ? limitSyncInterval : limitClearInterval);
  };
  let timer = tendLater(limitClearInterval);
  return stopOnce(async () => {
    stopped = true;
    clearTimeout(timer);
    await underWay;
  });
}

/**
 * The limits of SPEC, "Limits": counted in Postgres, decided in memory.
 *
 * Nothing that Postgres knows is read in advance. Instead the first request of a client waits for
 * its count during the first minute of this process, as long as there may be windows that it does
 * not know; after that, a client that is new here has no window unless another gateway has it.
 *
 * Rejects when Postgres cannot be reached.
 */
export async function createCountedLimits(options: CountedLimitsOptions) {
  const { limits, now, log, constants } = options;
  const startedAt = now();
  const windows = new Windows({
    limits,
    length: constants.limitWindow,
    maxWindows: MAX_LIMIT_WINDOWS,
    longTrip: constants.limitWaitTimeout,
    now: startedAt,
  });
  const session = await openSession({
    ...options,
    name: `${SESSION_PREFIX}${randomUUID()}`,
    statementTimeout: constants.limitStatementTimeout,
    isSole: true,
    onOpen: () => sync.wake(),
  });
  const tally = createRequestTally(now);
  const sync = createLimitSync({
    windows,
    now,
    isReady: session.isOpen,
    count: async (asks) => {
      const counts = await countRequests(session.db, asks, constants.limitWindow);
      tally.note(asks, counts);
      return counts;
    },
    constants,
  });

  /** Looks after what the counters stand on, and says how many ended windows it has cleared. */
  const tend = async (): Promise<number> => {
    windows.sweep(constants.limitSyncBatch, now());
    if (!session.isOpen()) return 0;
    await tally.save(session.db);
    const gateways = await countConnections(session.db, SESSION_PREFIX);
    const isYoung = now() - startedAt < constants.limitWindow;
    windows.setGateways(isYoung ? Math.max(gateways, LIMIT_ASSUMED_GATEWAYS) : gateways);
    return clearEndedWindows(session.db);
  };
  windows.setGateways(LIMIT_ASSUMED_GATEWAYS);
  await tend();

  const tending = startTending(tend, log, constants);
  const running = stopOnce(async () => {
    await tending.stop();
    await sync.stop();
    if (session.isOpen()) await tally.save(session.db, true).catch(() => undefined);
    await session.stop();
  });
  return {
    // Its `stop` reports what is still to be reported, as far as Postgres answers.
    ...running,
    /** At once unless the client may be near its limit; the promise never rejects. */
    take: (limiter: Limiter, tenantId: number, client: ClientAddress) => {
      const verdict = windows.take(limiter, tenantId, clientNetwork(client), now());
      sync.wake();
      return verdict;
    },
    /**
     * Admits a request if that is certain at once, and returns how many the client has left; below 0
     * for one that `take` must decide, which is not counted here.
     *
     * @param at on the clock of the limits, which need not be read twice for one request
     */
    pass: (limiter: Limiter, counted: Counted, client: ClientAddress, at: number) => {
      const remaining = windows.pass(limiter, counted, clientNetwork(client), at);
      if (remaining >= 0) sync.wake();
      return remaining;
    },
    /** How many requests the client has left, as far as this gateway knows; it counts nothing. */
    left: (limiter: Limiter, tenantId: number, client: ClientAddress) =>
      windows.left(limiter, tenantId, clientNetwork(client), now()),
    /** With the number of statements, and whether requests are decided without Postgres at present. */
    stats: () => ({ ...windows.stats, ...sync.stats() }),
  };
}
