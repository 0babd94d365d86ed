import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import type { WindowAsk, WindowCount } from '../../db/sql/limit-windows.ts';
import type { Batch, Windows } from './windows.ts';

/** Carries what `Windows` counts to Postgres: one statement at a time, none without news. */
export interface LimitSync extends Running {
  /** There may be something to report. */
  wake(): void;
  stats(): { statements: number; alone: boolean };
}

export interface LimitSyncOptions {
  windows: Windows;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
  /** Whether Postgres can be asked at all. */
  isReady: () => boolean;
  /** Asks Postgres; rejects when the answer is lost. */
  count: (asks: readonly WindowAsk[]) => Promise<readonly (WindowCount | undefined)[]>;
  constants: SyncConstants;
}

type SyncConstants = Pick<
  Constants,
  'limitSyncInterval' | 'limitReportInterval' | 'limitWaitTimeout' | 'limitSyncBatch'
>;

/** When the next statement starts. */
interface Timetable {
  /** It should start, and soon when it presses. */
  plan(isPressing: boolean): void;
  /** It starts now. */
  depart(): void;
  stop(): void;
}

function createTimetable(
  constants: SyncConstants,
  now: () => number,
  start: () => void,
): Timetable {
  let lastStart = Number.NEGATIVE_INFINITY;
  let planned: 'nothing' | 'later' | 'soon' = 'nothing';
  let timer: NodeJS.Timeout | undefined;
  return {
    plan: (isPressing) => {
      if (planned === 'soon' || (planned === 'later' && !isPressing)) return;
      clearTimeout(timer);
      const interval = isPressing ? constants.limitSyncInterval : constants.limitReportInterval;
      const pause = lastStart + interval - now();
      planned = isPressing || pause <= 0 ? 'soon' : 'later';
      if (pause > 0) timer = setTimeout(start, pause);
      else setImmediate(start);
    },
    depart: () => {
      lastStart = now();
      planned = 'nothing';
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * A statement starts at the end of the turn in which the first news came, so an idle gateway
 * reports at once. It never starts sooner than `limitReportInterval` after the one before, or
 * `limitSyncInterval` when requests wait for it or a batch is full. So a busy gateway sends five
 * statements a second, each with all that came meanwhile, and never more than a hundred.
 */
export function createLimitSync(options: LimitSyncOptions): LimitSync {
  const { windows, now, constants } = options;
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
    const batch = windows.collect(constants.limitSyncBatch, now());
    if (batch.windows.length === 0) return;
    underWay = send(batch);
    await underWay;
    underWay = undefined;
    wake();
  };

  const wake = () => {
    if (underWay || stopped || !windows.isDue) return;
    if (alone && !options.isReady()) return;
    timetable.plan(windows.isPressing(constants.limitSyncBatch));
  };

  const timetable = createTimetable(constants, now, () => void flush());
  return {
    wake,
    stats: () => ({ statements, alone }),
    // Reports the rest, unless Postgres is away.
    ...stopOnce(async () => {
      stopped = true;
      timetable.stop();
      await underWay;
      while (windows.isDue && options.isReady()) {
        const batch = windows.collect(constants.limitSyncBatch, now());
        if (batch.windows.length > 0) await send(batch);
      }
    }),
  };
}
