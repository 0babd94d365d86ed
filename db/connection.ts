// slonik needs Promise.withResolvers, which Node 20 does not have.
import 'core-js/actual/promise/with-resolvers.js';
import { createPgDriverFactory } from '@slonik/pg-driver';
import pg from 'pg';
import {
  type CommonQueryMethods,
  createPool,
  createSqlTag,
  type DriverFactory,
  type Interceptor,
  type Query,
  type QueryResultRow,
  type QuerySqlToken,
  SchemaValidationError,
} from 'slonik';
import * as v from 'valibot';
import { bounds } from './bounds.ts';
import { inTime, LateError } from './in-time.ts';

/**
 * Versions, counts and prices stay far below 2^53; a date is a day of the calendar, not
 * a moment. They hold for slonik's connections and for those that pg-boss opens through pg.
 */
const typeParsers = [
  { name: 'int8', oid: pg.types.builtins.INT8, parse: Number },
  { name: 'numeric', oid: pg.types.builtins.NUMERIC, parse: Number },
  { name: 'date', oid: pg.types.builtins.DATE, parse: String },
];
for (const { oid, parse } of typeParsers) pg.types.setTypeParser(oid, parse);

/** `sql.type(schema)` for statements with rows, `sql.typeAlias('nothing')` for those without. */
export const sql = createSqlTag({ typeAliases: { nothing: v.strictObject({}) } });

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
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Waits for running statements and closes every connection; harmless when repeated. */
  end(): Promise<void>;
}

export interface DatabaseOptions {
  maxConnections: number;
  /** Milliseconds after which Postgres aborts a statement. */
  statementTimeout: number;
  /** Milliseconds to wait for a connection. */
  connectionTimeout: number;
  /**
   * Milliseconds after which the caller of a statement waits no longer, neither for a connection nor
   * for the answer; it may have run. By default both of the above together.
   */
  answerTimeout?: number;
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

function bind(methods: CommonQueryMethods, timeout: number): Db {
  const soon = <T>(answer: Promise<T>) => inTime(answer, timeout, 'an answer of Postgres');
  return {
    any: (query) => soon(methods.any(query)),
    one: (query) => soon(methods.one(query)),
    maybeOne: (query) => soon(methods.maybeOne(query)),
    run: async (query) => (await soon(methods.query(query))).rowCount,
  };
}

/**
 * Replaces a connection on which a statement was not answered for longer than Postgres would have
 * let it run: whoever is at its other end has gone without a word.
 */
function createDrivers(statementTimeout: number): DriverFactory {
  const createPgDriver = createPgDriverFactory();
  const silence = statementTimeout + bounds.silentAfter;
  return async (options) => {
    const driver = await createPgDriver(options);
    return {
      createClient: async () => {
        const client = await driver.createClient();
        return {
          ...client,
          query: async (...statement) => {
            const answer = client.query(...statement);
            try {
              return await inTime(answer, silence, 'a connection to Postgres');
            } catch (error) {
              // What is to be said about a connection that cannot even be closed has been said.
              if (error instanceof LateError) client.destroy().catch(() => undefined);
              throw error;
            }
          },
        };
      },
    };
  };
}

/**
 * Opens a pool on `url`. One connection is made at once, to learn the types' numbers: this rejects
 * when Postgres cannot be reached. Later failures reject the statement they concern and no other.
 */
export async function createDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const { statementTimeout, connectionTimeout } = options;
  const answerTimeout = options.answerTimeout ?? statementTimeout + connectionTimeout;
  const pool = await createPool(url, {
    maxPoolSize: options.maxConnections,
    statementTimeout,
    connectionTimeout,
    // slonik retries at once, without a pause: the callers know better when to try again.
    connectionRetryLimit: 0,
    driverFactory: createDrivers(statementTimeout),
    gracefulTerminationTimeout: bounds.silentAfter,
    idleTimeout: 60_000,
    // Sessions carry no state of ours, so a connection goes back without another round trip.
    resetConnection: async () => {},
    interceptors: [rowCheck],
    typeParsers,
  });
  // A failing statement rejects for its caller, and an idle connection that breaks is replaced; the
  // event repeats that, and without a listener it would end the process.
  pool.on('error', () => undefined);
  let ended: Promise<void> | undefined;
  return {
    ...bind(pool, answerTimeout),
    transaction: (work) =>
      pool.transaction((connection) => work(bind(connection, answerTimeout)), 0),
    end: () => {
      ended ??= pool.end();
      return ended;
    },
  };
}
