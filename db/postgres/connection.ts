// slonik needs Promise.withResolvers, which Node 20 does not have.
import 'core-js/actual/promise/with-resolvers.js';
import pg from 'pg';
import {
  type CommonQueryMethods,
  createPool,
  createSqlTag,
  type Interceptor,
  type Query,
  type QueryResultRow,
  type QuerySqlToken,
  SchemaValidationError,
} from 'slonik';
import * as v from 'valibot';
import { stopOnce } from '../runtime/running.ts';
import { withTimeout } from '../runtime/with-timeout.ts';
import { TooManyStatementsError, throwOverdue } from './outage.ts';
import { createPgDriver } from './pg-driver.ts';

// Versions, counts and prices stay far below 2^53; a date is a day of the calendar, not a moment.
// These hold for all connections, those of pg-boss too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, String);

/** `sql.type(schema)` for statements with rows, `sql.typeAlias('nothing')` for those without. */
export const sql = createSqlTag({ typeAliases: { nothing: v.strictObject({}) } });

/** What a driver can send. */
type Value = Parameters<typeof sql.array>[0][number];

/** What `pick` finds in each row, as an array of Postgres's `type`: `unnest` makes rows of several. */
export function column<R>(
  rows: readonly R[],
  pick: (row: R) => Value,
  type: Parameters<typeof sql.array>[1],
) {
  return sql.array(rows.map(pick), type);
}

/** A statement without rows, ready to be run. */
export type Statement = QuerySqlToken;

type Schema = QuerySqlToken['parser'];
type Row<S extends Schema> = NonNullable<S['~standard']['types']>['output'];

/**
 * What a database operation needs: the pool, a transaction of it, or the transaction in which the
 * queue completes a job. Rows are checked against the statement's schema in all of them.
 */
export interface Db {
  /** All rows. */
  any<S extends Schema>(query: QuerySqlToken<S>): Promise<readonly Row<S>[]>;
  /** The only row; throws when there is none or more than one. */
  one<S extends Schema>(query: QuerySqlToken<S>): Promise<Row<S>>;
  /** The only row or null; throws when there are more. */
  maybeOne<S extends Schema>(query: QuerySqlToken<S>): Promise<Row<S> | null>;
  /** Runs a statement for its effect and says how many rows it touched. */
  run(query: QuerySqlToken): Promise<number>;
}

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

/** A row as its statement's schema makes it; throws when it does not fit. */
export function checkRow<S extends Schema>(
  query: { sql: string; values: readonly unknown[] },
  parser: S,
  row: QueryResultRow,
): Row<S> {
  const result = parser['~standard'].validate(row);
  if (result instanceof Promise) throw new TypeError('row schemas are synchronous');
  if (result.issues) throw new SchemaValidationError(query as Query, row, result.issues);
  return result.value as Row<S>;
}

const rowCheck: Interceptor = {
  name: 'row-check',
  transformRow: ({ resultParser }, query, row) =>
    resultParser ? (checkRow(query, resultParser, row) as QueryResultRow) : row,
};

type Bounded = <T>(start: () => Promise<T>) => Promise<T>;

const unbounded: Bounded = (start) => start();

function bind(methods: CommonQueryMethods, bounded = unbounded): Db {
  return {
    any: (query) => bounded(() => methods.any(query)),
    one: (query) => bounded(() => methods.one(query)),
    maybeOne: (query) => bounded(() => methods.maybeOne(query)),
    run: async (query) => (await bounded(() => methods.query(query))).rowCount,
  };
}

/** Limits how long callers wait, and how many of them. */
function createLimits(timeout: number, maxStatements = Number.POSITIVE_INFINITY): Bounded {
  let underWay = 0;
  return async (start) => {
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

/**
 * Opens a pool on `url`. One statement is sent at once: this rejects when Postgres cannot be
 * reached, unless it may be away. Later failures reject the statement they concern and no other.
 */
export async function createDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const pool = await createPool(url, {
    maxPoolSize: options.maxConnections,
    // slonik retries at once, without a pause: the callers know better when to try again.
    connectionRetryLimit: 0,
    idleTimeout: 60_000,
    // Sessions carry no state of ours, so a connection goes back without another round trip.
    resetConnection: async () => {},
    interceptors: [rowCheck],
    driverFactory: createPgDriver(options),
    typeParsers: [],
  });
  // A failing statement rejects for its caller, and an idle connection that breaks is replaced; the
  // event repeats that, and without a listener it would end the process.
  pool.on('error', () => undefined);
  const { timeout, maxStatements } = options;
  const bounded = timeout === undefined ? unbounded : createLimits(timeout, maxStatements);
  if (!options.mayBeAway) {
    await bind(pool)
      .run(sql.typeAlias('nothing')`select`)
      .catch(async (error) => {
        await pool.end();
        throw error;
      });
  }
  return {
    ...bind(pool, bounded),
    transaction: (work) =>
      bounded(() => pool.transaction((connection) => work(bind(connection)), 0)),
    moment: (work) =>
      bounded(() =>
        pool.transaction(async (connection) => {
          const db = bind(connection);
          await db.run(sql.typeAlias('nothing')`
            set transaction isolation level repeatable read, read only
          `);
          return work(db);
        }, 0),
      ),
    end: stopOnce(() => pool.end()).stop,
  };
}
