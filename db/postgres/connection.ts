import pg from 'pg';
import { ConnectionError } from 'slonik';
import { constants } from '../runtime/constants.ts';
import { stopOnce, withTimeout } from '../runtime/running.ts';
import {
  isRolledBack,
  type OverdueError,
  TooManyStatementsError,
  throwOverdue,
  watchStandby,
} from './outage.ts';
import { connectionSettings } from './pg-client.ts';
import { bindPg, type Db, type Send, type Statement, sql, toPg, typedError } from './sql.ts';

/** How long a connection of a pool may be idle before it is ended, in ms. */
const IDLE_CONNECTION_TIMEOUT = 60_000;

/** How often a statement or transaction of a pool is sent again after a deadlock and its like. */
const CONTENTION_RETRIES = 3;

interface AdmissionOptions {
  /** Milliseconds that a statement or transaction may take, with its wait for a connection. */
  timeout?: number;
  /** Those that wait or work; one more is refused. No limit by default, nor without `timeout`. */
  maxStatements?: number;
}

interface Admission {
  /**
   * Runs `work`. @throws {ConnectionError} when the connections are being closed, {OverdueError} when it
   * takes too long, {TooManyStatementsError} when too many are there
   */
  admit<T>(work: () => Promise<T>): Promise<T>;
  /** Admits nothing more, and resolves when all that was admitted has ended. */
  end(): Promise<void>;
}

function createAdmission({ timeout, maxStatements }: AdmissionOptions): Admission {
  const underWay = new Set<Promise<unknown>>();
  let isEnding = false;
  return {
    admit: async (work) => {
      if (isEnding) throw new ConnectionError('the connections to Postgres are being closed');
      const isBounded = timeout !== undefined && maxStatements !== undefined;
      if (isBounded && underWay.size >= maxStatements) {
        throw new TooManyStatementsError('too many statements wait');
      }
      const answer = work();
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

export interface Database extends Db, AsyncDisposable {
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
  maxConnections: number;
  /** Milliseconds to wait for a connection, be it made or given back. */
  connectionTimeout: number;
  /** Milliseconds after which Postgres aborts a statement. */
  statementTimeout: number;
  /** Whether it is opened although Postgres does not answer. */
  mayBeAway?: boolean;
  /** Whether each transaction may be on another connection of Postgres: then nothing is prepared. */
  hasNoSession?: boolean;
}

/** Whether an error leaves its connection in an unknown state: Postgres did not answer, or hung up. */
function isLoss(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
}

/** pg's pool, whose connections find the primary. */
function openPool(url: string, options: DatabaseOptions) {
  const { statementTimeout, hasNoSession = false } = options;
  const pool = new pg.Pool({
    ...connectionSettings(url),
    keepAlive: true,
    // Statements of a transaction that are sent at once do not wait for each other.
    pipeline: true,
    max: options.maxConnections,
    idleTimeoutMillis: IDLE_CONNECTION_TIMEOUT,
    connectionTimeoutMillis: options.connectionTimeout,
    // Postgres cancels a slow statement. When it does not even do that, the connection is closed; those
    // that a transaction sends at once have this time together.
    statement_timeout: statementTimeout,
    query_timeout: statementTimeout + constants.answerGrace,
    // The locks of an idle transaction block others.
    idle_in_transaction_session_timeout: constants.idleTimeout,
  });
  const open = new Set<pg.PoolClient>();
  const lost = new WeakSet<pg.PoolClient>();
  const standbys = new WeakMap<pg.PoolClient, () => OverdueError | null>();
  // An idle connection that breaks is replaced when it is needed.
  pool.on('error', () => undefined);
  pool.on('remove', (client) => open.delete(client));
  pool.on('connect', (client) => {
    open.add(client);
    // A broken connection rejects its statements. Without a listener the event would end the process.
    client.on('error', () => undefined);
    standbys.set(client, watchStandby(client));
  });
  const send = async (client: pg.PoolClient, statement: Statement) => {
    if (lost.has(client)) throw new ConnectionError('the connection to Postgres is lost');
    const asked = { ...toPg(statement), ...(hasNoSession && { name: undefined }) };
    const result = await client.query(asked).catch((error) => {
      if (isLoss(error)) lost.add(client);
      throw typedError(error);
    });
    const unsafe = standbys.get(client)?.();
    if (unsafe) throw unsafe;
    return result;
  };
  return {
    /**
     * Does work on a connection. One that is lost, or still in a transaction, does not come back to the
     * others. @throws {ConnectionError} when none is made or comes free
     */
    use: async <T>(work: (send: Send) => Promise<T>): Promise<T> => {
      const client = await pool.connect().catch((cause) => {
        throw new ConnectionError(cause.message, { cause });
      });
      try {
        return await work((statement) => send(client, statement));
      } finally {
        client.release(lost.has(client) || client.getTransactionStatus() !== 'I');
      }
    },
    close: async () => {
      await pool.end();
      const ends = [...open].map((client) => new Promise((resolve) => client.once('end', resolve)));
      await withTimeout(constants.answerGrace, Promise.all(ends), () => undefined);
      // Of a server that does not answer.
      for (const { connection } of open) connection.stream.destroy();
    },
  };
}

/** Does work again as often as may be, when Postgres asks for that. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let left = CONTENTION_RETRIES; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isRolledBack(error)) throw error;
    }
  }
}

/** Runs `work` in a transaction: committed when it resolves, rolled back when it rejects. */
export async function inTransaction<T>(send: Send, work: (db: Db) => Promise<T>): Promise<T> {
  let hasEnded = false;
  const end = (statement: Statement) => {
    hasEnded = true;
    return send(statement);
  };
  // A part of the work may go on when another one has failed: it must not write outside of this.
  const within = bindPg(async (statement) => {
    if (hasEnded) throw new Error('the transaction has ended');
    return send(statement);
  });
  await send(sql.nothing`begin`);
  try {
    const result = await work(within);
    await end(sql.nothing`commit`);
    return result;
  } catch (error) {
    // Without it the connection is closed, which ends the transaction, too.
    await end(sql.nothing`rollback`).catch(() => undefined);
    throw error;
  }
}

/**
 * Opens a pool on `url`. One statement is sent at once: this rejects when Postgres cannot be
 * reached, unless it may be away. Later failures reject the statement they concern and no other.
 */
export async function createDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const pool = openPool(url, options);
  const admission = createAdmission(options);
  const { stop: end } = stopOnce(async () => {
    await admission.end();
    await pool.close();
  });
  const use = <T>(work: (send: Send) => Promise<T>) =>
    admission.admit(() => withRetries(() => pool.use(work)));
  const db = bindPg((statement) => use((send) => send(statement)));
  const transaction: Database['transaction'] = (work) => use((send) => inTransaction(send, work));
  if (!options.mayBeAway) {
    await db.run(sql.nothing`select`).catch(async (error) => {
      await end();
      throw error;
    });
  }
  return {
    ...db,
    transaction,
    moment: (work) =>
      transaction(async (tx) => {
        await tx.run(sql.nothing`set transaction isolation level repeatable read, read only`);
        return work(tx);
      }),
    end,
    [Symbol.asyncDispose]: end,
  };
}
