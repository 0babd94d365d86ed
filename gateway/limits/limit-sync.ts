import { type Constants, constants as fixed } from '../../db/runtime/constants.ts';
import { stopOnce } from '../../db/runtime/running.ts';
import type { WindowAsk, WindowCount } from '../../db/sql/limit-windows.ts';
import type { Batch, Windows } from './windows.ts';

interface LimitSyncOptions {
  windows: Windows;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
  /** Whether Postgres can be asked at all. */
  isReady: () => boolean;
  /** Asks Postgres; rejects when the answer is lost. */
  count: (asks: readonly WindowAsk[]) => Promise<readonly (WindowCount | undefined)[]>;
  constants: Pick<Constants, 'limitWaitTimeout'>;
}

/** When the next statement starts. */
function createTimetable(now: () => number, start: () => void) {
  let lastStart = Number.NEGATIVE_INFINITY;
  /** After `lastStart`; 0 when it starts at the end of this turn. */
  let planned = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  return {
    /** It should start so many ms after the one before, or at once when that is over. */
    plan: (interval: number) => {
      if (interval >= planned) return;
      clearTimeout(timer);
      const pause = lastStart + interval - now();
      planned = pause > 0 ? interval : 0;
      if (pause > 0) timer = setTimeout(start, pause);
      else setImmediate(start);
    },
    /** It starts now. */
    depart: () => {
      lastStart = now();
      planned = Number.POSITIVE_INFINITY;
    },
    cancel: () => clearTimeout(timer),
  };
}

/** Chooses what a statement reports, and when the next one is due. */
function createReports(windows: Windows) {
  let lastWhole = Number.NEGATIVE_INFINITY;
  /** Whether more was to be reported than the last statement took. */
  let isMore = false;
  return {
    next: (now: number): Batch => {
      const isWhole = isMore || now - lastWhole >= fixed.limitReportInterval;
      if (isWhole) lastWhole = now;
      const batch = windows.collect(fixed.limitSyncBatch, now, isWhole);
      isMore = batch.windows.length === fixed.limitSyncBatch;
      return batch;
    },
    interval: (): number => {
      if (isMore || windows.isAwaited) return fixed.limitSyncInterval;
      return windows.isFull ? fixed.limitFullInterval : fixed.limitReportInterval;
    },
  };
}

/**
 * Carries what `Windows` counts to Postgres: one statement at a time, none without news.
 *
 * A statement starts at the end of the turn in which the first news came, so an idle gateway
 * reports at once. It never starts sooner after the one before than
 * - `limitSyncInterval` when requests wait for it, or a batch was full: never more than a hundred a second;
 * - `limitFullInterval` when the next request of a client would wait;
 * - `limitReportInterval` otherwise. So what clients far from their limits do is reported
 *   every five seconds, each with all requests that came meanwhile.
 */
export function createLimitSync(options: LimitSyncOptions) {
  const { windows, now, constants } = options;
  const reports = createReports(windows);
  let underWay: Promise<void> | undefined;
  let statements = 0;
  let alone = false;
  let stopped = false;

  const setAlone = (value: boolean) => {
    alone = value;
    windows.setPatient(!value, now());
  };

  const send = async (batch: Batch) => {
    const sentAt = now();
    statements += 1;
    let answered = false;
    const patience = setTimeout(() => {
      // Results that have arrived while this process was held up are read first.
      setImmediate(() => {
        if (!answered) setAlone(true);
      });
    }, constants.limitWaitTimeout);
    try {
      const counts = await options.count(batch.asks);
      answered = true;
      const receivedAt = now();
      const isSlow = receivedAt - sentAt > constants.limitWaitTimeout;
      windows.settle(batch, counts, sentAt, receivedAt);
      if (isSlow !== alone) setAlone(isSlow);
    } catch {
      answered = true;
      // The connection tells the operator why.
      alone = true;
      windows.fail(batch, now());
    }
    clearTimeout(patience);
  };

  const flush = async () => {
    timetable.depart();
    if (stopped) return;
    if (!options.isReady()) {
      if (!alone) setAlone(true);
      return;
    }
    const batch = reports.next(now());
    if (batch.windows.length > 0) {
      underWay = send(batch);
      await underWay;
      underWay = undefined;
    }
    wake();
  };

  /** There may be something to report. */
  const wake = () => {
    if (underWay || stopped || !windows.isDue) return;
    if (alone && !options.isReady()) return;
    timetable.plan(reports.interval());
  };

  const timetable = createTimetable(now, () => void flush());
  return {
    wake,
    stats: () => ({ statements, alone }),
    // Reports the rest, unless Postgres is away.
    ...stopOnce(async () => {
      stopped = true;
      timetable.cancel();
      await underWay;
      while (windows.isDue && options.isReady()) {
        const batch = windows.collect(fixed.limitSyncBatch, now());
        if (batch.windows.length > 0) await send(batch);
      }
    }),
  };
}
