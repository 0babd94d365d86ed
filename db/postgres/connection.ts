import { once } from 'node:events';
import pg from 'pg';
import { constants } from '../runtime/constants.ts';
import { stopOnce } from '../runtime/running.ts';
import { withTimeout } from '../runtime/with-timeout.ts';
import {
  CANCELLED_WAIT,
  ConnectionError,
  OverdueError,
  TooManyStatementsError,
  throwOverdue,
} from './outage.ts';
import { connectionSettings } from './pg-client.ts';
import { bindDb, type Db, type Send, type Statement, sql } from './sql.ts';

// Versions, counts and prices stay far below 2^53; a date is a day of the calendar, not a moment.
// These hold for all connections, those of pg-boss too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, String);

export interface Database extends Db {
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. Where
   * there is a `timeout` this may reject with OverdueError for one that is committed all the same.
   */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs reads that all see the database as it is at one moment. */
  moment<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Waits for running statements and closes every connection; harmless when repeated. */
  end(): Promise<void>;
}

export interface DatabaseOptions {
  maxConnections: number;
  /** Milliseconds after which Postgres aborts a statement. */
  statementTimeout: number;
  /** Milliseconds to wait for a connection. */
  connectionTimeout: number;
  /** Milliseconds that a statement or transaction may take with its wait for a connection. */
  timeout?: number;
  /** Statements that wait or run; one more is refused. No limit by default, nor without `timeout`. */
  maxStatements?: number;
  /** Whether it is opened although Postgres does not answer. */
  mayBeAway?: boolean;
  /** Whether each transaction may be on another connection of Postgres: then nothing is prepared. */
  hasNoSession?: boolean;
}

/** Limits how long callers wait, and how many of them; without a `timeout` neither. */
function createLimits({ timeout, maxStatements = Number.POSITIVE_INFINITY }: DatabaseOptions) {
  let underWay = 0;
  return async <T>(start: () => Promise<T>): Promise<T> => {
    if (timeout === undefined) return start();
    const isFull = underWay >= maxStatements;
    if (isFull) throw new TooManyStatementsError('too many statements wait');
    underWay += 1;
    const answer = start();
    // A late statement still counts until it ends.
    const leave = () => {
      underWay -= 1;
    };
    answer.then(leave, leave);
    return withTimeout(timeout, answer, throwOverdue);
  };
}

/** Opens connections, and sends statements on them. */
function openPool(url: string, options: DatabaseOptions) {
  const { statementTimeout, hasNoSession = false } = options;
  const pool = new pg.Pool({
    ...connectionSettings(url),
    keepAlive: true,
    // Statements of one transaction may leave without waiting for each other.
    pipeline: true,
    max: options.maxConnections,
    connectionTimeoutMillis: options.connectionTimeout,
    idleTimeoutMillis: constants.idleConnectionTimeout,
    // Postgres cancels a slow statement. When it does not even do that, pg closes the connection.
    statement_timeout: statementTimeout,
    query_timeout: statementTimeout + constants.answerGrace,
    // The locks of an idle transaction block others.
    idle_in_transaction_session_timeout: constants.idleTimeout,
  });
  const open = new Set<pg.PoolClient>();
  const unsafe = new WeakSet<pg.PoolClient>();
  // A failing statement rejects for its caller, and an idle connection that breaks is replaced. The
  // events repeat that, and without a listener they would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    open.add(client);
    client.once('end', () => open.delete(client));
    client.on('error', () => undefined);
    client.on('notice', ({ routine }) => {
      if (routine === CANCELLED_WAIT) unsafe.add(client);
    });
  });

  const sendOn = async (client: pg.PoolClient, { text, values, name }: Statement) => {
    const result = await client.query({ text, values, name: hasNoSession ? undefined : name });
    // Only this host has the commit: somebody cancelled its wait for a synchronous standby, and
    // Postgres only warns.
    if (unsafe.delete(client)) throw new OverdueError('the wait for the standby was cancelled');
    return result;
  };

  return {
    /** Runs `work` on a connection that belongs to it alone meanwhile. */
    borrow: async <T>(work: (send: Send) => Promise<T>): Promise<T> => {
      const client = await pool.connect().catch((cause) => {
        throw new ConnectionError('no connection to Postgres', { cause });
      });
      try {
        return await work((statement) => sendOn(client, statement));
      } finally {
        // The pool closes a connection that is broken, or still in a transaction.
        client.release(client.getTransactionStatus() !== 'I');
      }
    },
    /** Waits until each connection has come back, and closes them. */
    end: async () => {
      await pool.end();
      const closings = [...open].map((client) =>
        withTimeout(constants.answerGrace, once(client, 'end'), () =>
          client.connection.stream.destroy(),
        ),
      );
      await Promise.all(closings);
    },
  };
}

/** Runs `work` in a transaction that `begin` opens. */
async function inTransaction<T>(
  send: Send,
  begin: Statement,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  await send(begin);
  try {
    const result = await work(bindDb(send));
    await send(sql.nothing`commit`);
    return result;
  } catch (error) {
    // Where this fails, the connection is closed, and Postgres rolls back. The first error says why.
    await send(sql.nothing`rollback`).catch(() => undefined);
    throw error;
  }
}

/**
 * Opens a pool on `url`. One statement is sent at once: this rejects when Postgres cannot be
 * reached, unless it may be away. Later failures reject the statement they concern and no other.
 */
export async function createDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const pool = openPool(url, options);
  const bounded = createLimits(options);
  const send: Send = (statement) => pool.borrow((sendOne) => sendOne(statement));
  if (!options.mayBeAway) {
    await send(sql.nothing`select`).catch(async (error) => {
      await pool.end();
      throw error;
    });
  }
  const transaction = (begin: Statement) => {
    return <T>(work: (db: Db) => Promise<T>) =>
      bounded(() => pool.borrow((sendOne) => inTransaction(sendOne, begin, work)));
  };
  return {
    ...bindDb((statement) => bounded(() => send(statement))),
    transaction: transaction(sql.nothing`begin`),
    moment: transaction(sql.nothing`begin isolation level repeatable read, read only`),
    end: stopOnce(() => pool.end()).stop,
  };
}
