import { type Db as BossTransaction, type Clock, type ConstructorOptions, PgBoss } from 'pg-boss';
import { type Logger, pino } from 'pino';
import { connectionSettings } from '../postgres/pg-client.ts';
import { bindPg, type Db, pipelined, type Send, toPg, typedError } from '../postgres/sql.ts';
import { type Constants, constants } from '../runtime/constants.ts';
import { withTimeout } from '../runtime/running.ts';
import { queues } from '../schema/queues.ts';
import { bossSchema } from '../sql/jobs.ts';
import { QueueClient } from './queue-client.ts';

/** pg-boss schedules by this clock, because the system's clock may be set back. */
const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout,
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval,
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
};

type BossOptions = Omit<ConstructorOptions, 'connectionString' | 'schema' | 'db'> & {
  /** Receives pg-boss's errors and warnings. */
  log: Logger;
  /** How long a statement waits for its answer, in ms; pg-boss hands it to pg. */
  query_timeout?: number;
};

/**
 * A pg-boss that is not yet started. It only sends. Workers call `supervise` for all: retries, expiry
 * and deletion. pg-boss's cron does not run. The schema is left to
 * `migrate`, so the start fails when the database has not been migrated.
 */
export function createBoss(databaseUrl: string, options: BossOptions): PgBoss {
  const { log, ...rest } = options;
  // pg-boss passes options that it does not know to its pool.
  const pool = { Client: QueueClient };
  const boss = new PgBoss({
    ...pool,
    application_name: 'lavagna queue',
    max: 4,
    migrate: false,
    supervise: false,
    schedule: false,
    clock: steadyClock,
    ...rest,
    ...connectionSettings(databaseUrl),
    schema: bossSchema,
  });
  // Without a listener the event would end the process; pg-boss tries again.
  boss.on('error', (error) => log.error({ err: error }, 'the queue reports an error'));
  boss.on('warning', (warning) => log.warn({ warning }, 'the queue reports a warning'));
  return boss;
}

/** Does something with a pg-boss that only sends, is stopped again, and logs nothing. */
export async function withBoss<T>(databaseUrl: string, work: (boss: PgBoss) => Promise<T>) {
  const boss = createBoss(databaseUrl, { log: pino({ level: 'silent' }), max: 1 });
  await boss.start();
  try {
    return await work(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** The notices of new jobs, for a pg-boss. */
export interface QueueNotices {
  /** Handles a notification's payload, by channel. */
  channels: Record<string, (payload: string) => void>;
  /** Lets all queues that send notices look for jobs: some notices may be lost. */
  wake(): void;
}

/** Starts a pg-boss that hears over a session of the caller, in place of one of its own. */
export async function startHearing(boss: PgBoss): Promise<QueueNotices> {
  const notices: QueueNotices = { channels: {}, wake: () => undefined };
  boss.getDb().listen = async (channel, hear, wake) => {
    notices.channels[channel] = hear;
    notices.wake = wake;
    return { close: async () => undefined };
  };
  await boss.start();
  return notices;
}

/** Stops a worker's pg-boss when the jobs in flight have ended, or after `stopTimeout`. */
export async function stopWork(boss: PgBoss, { stopTimeout }: Pick<Constants, 'stopTimeout'>) {
  // pg-boss's own graceful stop looks only every 500 ms whether they have.
  const ended = Promise.all(Object.values(queues).map((queue) => boss.offWork(queue)));
  await withTimeout(stopTimeout, ended, () => undefined);
  await boss.stop({ graceful: false });
}

/** How often a worker looks for jobs of other work than writes, whose notices may be lost. */
export const POLLING = {
  pollingIntervalSeconds: constants.otherPollSeconds,
  notifyPollingIntervalSeconds: constants.otherPollSeconds,
};

/**
 * A sender in the transaction in which pg-boss completes a job: what it writes commits with the job's
 * completion or not at all.
 *
 * When a job takes longer than its queue allows, pg-boss sends ROLLBACK while the handler still
 * runs. A statement that the handler sends next would follow it on the same connection and commit
 * alone; the job's signal is aborted before that, and from then on nothing is sent.
 *
 * @param signal of the job; of the first one in a batch
 */
export function sendInJob(transaction: BossTransaction, signal?: AbortSignal): Send {
  return async (statement) => {
    signal?.throwIfAborted();
    const { text, values } = toPg(statement);
    return transaction.executeSql(text, values).catch((error) => {
      throw typedError(error);
    });
  };
}

/** The database operations in such a transaction. */
export function bindJobTransaction(transaction: BossTransaction, signal?: AbortSignal): Db {
  return bindPg(sendInJob(transaction, signal));
}

/** Begins a transaction in which jobs can be sent and completed, and data changed beside them. */
export function beginTransaction(boss: PgBoss) {
  const db = boss.getDb();
  if (!db.beginTransaction) throw new Error('the queue has no transactions on this database');
  return db.beginTransaction();
}

/** A transaction of the queue; `tx` changes data in it. */
export interface QueueTransaction extends Awaited<ReturnType<typeof beginTransaction>> {
  tx: Db;
}

/** Does something in a transaction of the queue; what `work` has not committed is rolled back. */
export async function inQueueTransaction<T>(
  boss: PgBoss,
  work: (transaction: QueueTransaction) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const transaction = await beginTransaction(boss);
  try {
    return await work({ ...transaction, tx: bindJobTransaction(transaction.db, signal) });
  } finally {
    await transaction.rollback();
  }
}

/**
 * Sends the last statement of a transaction, one of the queue's, with the commit right behind it, in
 * one round trip. Where the statement fails, Postgres rolls back.
 */
export function withCommit({ db, commit }: QueueTransaction): BossTransaction {
  return {
    executeSql: async (text, values) => {
      const [answer] = await pipelined(db.executeSql(text, values), commit());
      return answer;
    },
  };
}
