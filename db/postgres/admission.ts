import { ConnectionError } from 'slonik';
import { withTimeout } from '../runtime/running.ts';
import { TooManyStatementsError, throwOverdue } from './outage.ts';

export interface AdmissionOptions {
  /** Those that work at a time. */
  maxConnections: number;
  /** Milliseconds to wait for a place among them. */
  connectionTimeout: number;
  /** Milliseconds that one may take, with its wait for a place. */
  timeout?: number;
  /** Those that wait or work; one more is refused. No limit by default, nor without `timeout`. */
  maxStatements?: number;
}

interface Admission {
  /**
   * Runs `work` in its turn. @throws {ConnectionError} when no place comes free in time,
   * {OverdueError} when it takes too long, {TooManyStatementsError} when too many are there
   */
  admit<T>(work: () => Promise<T>): Promise<T>;
  /** Admits nothing more, and resolves when all that was admitted has ended. */
  end(): Promise<void>;
}

/**
 * Lets no more callers into a pool than it has connections. slonik's pool forgets those that wait in it
 * while a connection cannot be opened, and never refuses one.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { maxConnections, connectionTimeout, timeout } = options;
  const { maxStatements = Number.POSITIVE_INFINITY } = options;
  const waiting = new Set<() => void>();
  const underWay = new Set<Promise<unknown>>();
  let places = maxConnections;
  let isEnding = false;

  const takePlace = async () => {
    if (places > 0) {
      places -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(go);
        reject(new ConnectionError('no connection to Postgres came free in time'));
      }, connectionTimeout);
      const go = () => {
        clearTimeout(timer);
        waiting.delete(go);
        resolve();
      };
      waiting.add(go);
    });
  };
  const leavePlace = () => {
    const [next] = waiting;
    if (next) next();
    else places += 1;
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    await takePlace();
    try {
      return await work();
    } finally {
      leavePlace();
    }
  };

  return {
    admit: async (work) => {
      if (isEnding) throw new ConnectionError('the connections to Postgres are being closed');
      const isFull = timeout !== undefined && underWay.size >= maxStatements;
      if (isFull) throw new TooManyStatementsError('too many statements wait');
      const answer = run(work);
      underWay.add(answer);
      // A late statement still counts until it ends.
      const leave = () => underWay.delete(answer);
      answer.then(leave, leave);
      return timeout === undefined ? answer : withTimeout(timeout, answer, throwOverdue);
    },
    end: async () => {
      isEnding = true;
      await Promise.allSettled(underWay);
    },
  };
}
