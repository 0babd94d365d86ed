import { type CommonQueryMethods, ConnectionError, createPool, type DatabasePool } from 'slonik';
import { transactionContext } from 'slonik/dist/contexts/transactionContext.js';
import { constants } from '../runtime/constants.ts';
import { stopOnce, withTimeout } from '../runtime/running.ts';
import { createDriver, type Driver } from './driver.ts';
import { TooManyStatementsError, throwOverdue } from './outage.ts';
import { bindPg, type Db, sql } from './sql.ts';

/** How long a connection of a pool may be idle before it is ended, in ms. */
const IDLE_CONNECTION_TIMEOUT = 60_000;

/** How often a statement or transaction of a pool is sent again after a deadlock and its like. */
const CONTENTION_RETRIES = 3;

interface AdmissionOptions {
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
function createAdmission(options: AdmissionOptions): Admission {
  const { maxConnections, connectionTimeout, timeout } = options;
  const { maxStatements = Number.POSITIVE_INFINITY } = options;
  const waiting = new Set<() => void>();
  const underWay = new Set<Promise<unknown>>();
  let places = maxConnections;
  let isEnding = false;

  const waitForPlace = () =>
    new Promise<void>((resolve, reject) => {
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
  const leavePlace = () => {
    const [next] = waiting;
    if (next) next();
    else places += 1;
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (places > 0) places -= 1;
    else await waitForPlace();
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

export interface Database extends Db {
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects, and run
   * again when Postgres asks for that (a deadlock and its like). Where there is a `timeout` this may
   * reject with OverdueError for one that is committed all the same.
   */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs reads that all see the database as it is at one moment. */
  moment<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Waits for running statements and closes every connection; harmless when repeated. */
  end(): Promise<void>;
}

interface DatabaseOptions extends AdmissionOptions {
  /** Milliseconds after which Postgres aborts a statement. */
  statementTimeout: number;
  /** Whether it is opened although Postgres does not answer. */
  mayBeAway?: boolean;
  /** Whether each transaction may be on another connection of Postgres: then nothing is prepared. */
  hasNoSession?: boolean;
}

function openPool(url: string, driver: Driver, options: DatabaseOptions): Promise<DatabasePool> {
  return createPool(url, {
    driverFactory: driver.create,
    maximumPoolSize: options.maxConnections,
    idleTimeout: IDLE_CONNECTION_TIMEOUT,
    queryRetryLimit: CONTENTION_RETRIES,
    transactionRetryLimit: CONTENTION_RETRIES,
    // An outage is told at once, and callers decide.
    connectionRetryLimit: 0,
    // Nothing of ours lasts longer on a connection than its transaction.
    resetConnection: async () => undefined,
  });
}

function openDriver(url: string, options: DatabaseOptions): Driver {
  const { statementTimeout, connectionTimeout, hasNoSession = false } = options;
  const config = {
    connectionTimeoutMillis: connectionTimeout,
    // Postgres cancels a slow statement. When it does not even do that, the connection is closed.
    statement_timeout: statementTimeout,
    query_timeout: statementTimeout + constants.answerGrace,
    // The locks of an idle transaction block others.
    idle_in_transaction_session_timeout: constants.idleTimeout,
  };
  return createDriver(url, config, !hasNoSession);
}

/** The operations over slonik; `watch` sees every answer. */
function bindSlonik(
  connection: CommonQueryMethods,
  watch: <T>(answer: Promise<T>) => Promise<T> = (answer) => answer,
): Db {
  return bindPg((statement) => watch(connection.query(statement as never)));
}

/**
 * Runs `work`, and waits for those of its statements that it has not waited for: slonik would roll back,
 * and close the connection, between them.
 */
async function withAllAnswers<T>(connection: CommonQueryMethods, work: (db: Db) => Promise<T>) {
  const answers = new Set<Promise<unknown>>();
  const watch = <A>(answer: Promise<A>) => {
    answers.add(answer);
    const forget = () => answers.delete(answer);
    answer.then(forget, forget);
    return answer;
  };
  try {
    return await work(bindSlonik(connection, watch));
  } finally {
    await Promise.allSettled(answers);
  }
}

let openTransactions = 0;

/**
 * slonik knows by an AsyncLocalStorage which transaction calls it. Node 20 follows every promise of the
 * process while there is one, so it is given up when no transaction is open.
 */
async function inContext<T>(transaction: () => Promise<T>): Promise<T> {
  openTransactions += 1;
  try {
    return await transaction();
  } finally {
    openTransactions -= 1;
    if (openTransactions === 0) transactionContext.disable();
  }
}

/**
 * Opens a pool on `url`. One statement is sent at once: this rejects when Postgres cannot be
 * reached, unless it may be away. Later failures reject the statement they concern and no other.
 */
export async function createDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const driver = openDriver(url, options);
  const pool = await openPool(url, driver, options);
  const { admit, end } = createAdmission(options);
  const close = async () => {
    await end();
    await pool.end();
    await driver.closed();
  };
  if (!options.mayBeAway) {
    await pool.query(sql.nothing`select` as never).catch(async (error) => {
      await close();
      throw error;
    });
  }
  const statement = bindSlonik(pool);
  const transaction = <T>(work: (db: Db) => Promise<T>) =>
    admit(() => {
      return inContext(() => pool.transaction((connection) => withAllAnswers(connection, work)));
    });
  return {
    any: (one) => admit(() => statement.any(one)),
    one: (one) => admit(() => statement.one(one)),
    maybeOne: (one) => admit(() => statement.maybeOne(one)),
    run: (one) => admit(() => statement.run(one)),
    touches: (one) => admit(() => statement.touches(one)),
    transaction,
    moment: (work) =>
      transaction(async (db) => {
        await db.run(sql.nothing`set transaction isolation level repeatable read, read only`);
        return work(db);
      }),
    end: stopOnce(close).stop,
  };
}
