import type pg from 'pg';
import {
  createSqlTag,
  DataIntegrityError,
  NotFoundError,
  type QuerySqlToken,
  type SqlToken,
  UniqueIntegrityConstraintViolationError,
} from 'slonik';
import * as v from 'valibot';
import { inOneGo, inSlices } from '../runtime/in-slices.ts';

/** A piece of SQL with its values, to stand in a statement or in another piece. */
export type Fragment = SqlToken;

/** A value that becomes a parameter; a Buffer stands in `sql.binary`, a list in `sql.array`. */
export type Value = string | number | boolean | null;

export type RowSchema = v.GenericSchema;

/** A statement ready to be sent; each of its rows must fit the schema. */
export interface Statement<S extends RowSchema = RowSchema> extends Omit<QuerySqlToken, 'parser'> {
  readonly parser: S;
}

type Tag<T> = (strings: TemplateStringsArray, ...parts: (Fragment | Value)[]) => T;

/**
 * slonik's logger throws where stdout fails: a full disk would end every process. Here lines are dropped,
 * or the program ends with a sentence, so the logger's listener goes.
 */
const { ROARR: logger } = globalThis as { ROARR?: { teardown?(): void } };
logger?.teardown?.();

const tag = createSqlTag();
const { fragment } = tag;
const emptyPiece = fragment``;

/** slonik declares schemas of another library. `checkRow` reads them. */
function type<S extends RowSchema>(schema: S): Tag<Statement<S>> {
  return tag.type(schema as never) as unknown as Tag<Statement<S>>;
}

const onlyColumn = v.pipe(
  v.looseObject({}),
  v.transform((row) => Object.values(row)[0]),
);

/** The names under which Postgres keeps the plans of `sql.prepared`, by the texts of these. */
const plans = new Map<string, string>();

/** A statement in the form that pg sends, with the name of its plan if it is to be kept. */
export function toPg({ sql, values }: Statement) {
  return { text: sql.replaceAll('$slonik_', '$'), values: [...values], name: plans.get(sql) };
}

/**
 * slonik's tag, which makes statements of templates. `sql.type(schema)` is for statements whose rows
 * have columns, `sql.value(schema)` where each row is the value of its only column, and `sql.nothing`
 * for all others.
 */
export const sql = {
  ...tag,
  type,
  value: <S extends RowSchema>(schema: S) => type(v.pipe(onlyColumn, schema)),
  nothing: type(v.strictObject({})),
  /** A statement, its text always the same, that Postgres plans once for each connection. */
  prepared: <S extends RowSchema>(name: string, schema: S): Tag<Statement<S>> => {
    return (strings, ...parts) => {
      const statement = type(schema)(strings, ...parts);
      plans.set(statement.sql, name);
      return statement;
    };
  },
  /** Names with commas between them, as a list of columns has them. */
  identifiers: (names: readonly string[]) =>
    sql.join(
      names.map((name) => tag.identifier([name])),
      ', ',
    ),
  /** The columns that a schema names. */
  columnsOf: ({ entries }: { entries: object }) => sql.identifiers(Object.keys(entries)),
  /** Fragments with `separator` between them; there may be none. */
  join: (fragments: readonly Fragment[], separator: string) =>
    fragments.length === 0
      ? emptyPiece
      : fragment`${tag.join(fragments, { ...emptyPiece, sql: separator })}`,
  /** Further conditions of a `where`; those that are false or null do not hold it up. */
  and: (...conditions: readonly (Fragment | false | null)[]): Fragment => {
    const asked = conditions.filter((one) => one !== null && one !== false);
    return sql.join(
      asked.map((one) => fragment`and ${one}`),
      ' ',
    );
  },
};

/** A value of each row by `pick`, as an array of Postgres's `type`: `unnest` makes rows of several. */
export function column<R>(
  rows: readonly R[],
  pick: (row: R) => Value | Buffer,
  type: string,
): Fragment {
  return sql.array(rows.map(pick), type);
}

/**
 * From here on a connection plans each statement that it prepares once, whatever its values, and reads
 * no table whole that has an index for the question.
 */
export const planOnceWithIndexes = sql.nothing`
  select from set_config('plan_cache_mode', 'force_generic_plan', false) once,
    set_config('enable_seqscan', 'off', false) indexes
`;

/**
 * Rows of JSON for a join by key. Postgres expects a hundred of them, and would read a small table
 * whole rather than look each up; with a limit it expects few.
 */
export function limited(rows: Fragment, count: number): Fragment {
  return sql.fragment`(select * from ${rows} limit ${count})`;
}

/** Between texts that travel as one. JSON never has it, nor has a text of a menu. */
export const TEXT_SEPARATOR = '\x1c';

/**
 * The same for long texts, none of them empty: they travel as one, which needs no escapes on either
 * side.
 */
export function textColumn<R>(rows: readonly R[], pick: (row: R) => string): Fragment {
  const texts = rows.map(pick).join(TEXT_SEPARATOR);
  return sql.fragment`string_to_array(${texts}::text, ${TEXT_SEPARATOR})`;
}

/**
 * The argument of a database operation: the pool, a transaction of it, or the transaction in which the
 * queue completes a job. Rows are checked against the statement's schema in all of them.
 */
export interface Db {
  any<S extends RowSchema>(statement: Statement<S>): Promise<readonly v.InferOutput<S>[]>;
  /** The only row. @throws {NotFoundError} or {DataIntegrityError} for none and for more than one */
  one<S extends RowSchema>(statement: Statement<S>): Promise<v.InferOutput<S>>;
  /** The only row or null. @throws {DataIntegrityError} when there are more */
  maybeOne<S extends RowSchema>(statement: Statement<S>): Promise<v.InferOutput<S> | null>;
  /** Runs a statement for its effect. */
  run(statement: Statement): Promise<void>;
  /** The same, and says how many rows it touched. */
  count(statement: Statement): Promise<number>;
  /** The same, and says whether it touched any. */
  touches(statement: Statement): Promise<boolean>;
}

/** A row as its statement's schema makes it. */
export function checkRow<S extends RowSchema>(schema: S, row: unknown, text: string) {
  const { success, issues, output } = v.safeParse(schema, row);
  if (success) return output;
  // Without the values, which may be texts of a menu.
  const places = issues.map((issue) => `${v.getDotPath(issue)} is not ${issue.expected}`);
  throw new Error(`a row has another shape: ${places.join(', ')}; ${text}`);
}

/** Rows of a statement that are checked in less than a millisecond. */
const MOST_IN_ONE_GO = 100;

/** The rows of a statement as its schema makes them, a row a step. */
function* checkedRows<S extends RowSchema>(
  { parser, sql: text }: Statement<S>,
  rows: readonly unknown[],
): Generator<void, v.InferOutput<S>[]> {
  const checked: v.InferOutput<S>[] = [];
  for (const row of rows) {
    checked.push(checkRow(parser, row, text));
    yield;
  }
  return checked;
}

/** Sends a statement on a connection of pg's, beside others that are under way. */
export type Send = (
  statement: Statement,
) => Promise<{ rows: readonly unknown[]; rowCount?: number | null }>;

/** The database operations over a sender. */
export function bindPg(send: Send): Db {
  const any: Db['any'] = async (statement) => {
    const { rows } = await send(statement);
    const checked = checkedRows(statement, rows);
    return rows.length > MOST_IN_ONE_GO ? inSlices(checked) : inOneGo(checked);
  };
  const atMostOne = async <S extends RowSchema>(statement: Statement<S>) => {
    const rows = await any(statement);
    if (rows.length > 1) throw new DataIntegrityError(statement);
    return rows;
  };
  const count: Db['count'] = async (statement) => (await send(statement)).rowCount ?? 0;
  return {
    any,
    run: async (statement) => void (await send(statement)),
    count,
    touches: async (statement) => (await count(statement)) > 0,
    maybeOne: async (statement) => (await atMostOne(statement))[0] ?? null,
    one: async (statement) => {
      const rows = await atMostOne(statement);
      if (rows.length === 0) throw new NotFoundError(statement);
      return rows[0];
    },
  };
}

/** A sender on a connection of pg's. */
export const sendOn =
  (client: pg.Client): Send =>
  (statement) =>
    client.query(toPg(statement));

/** The database operations on a connection of pg's. */
export const dbOf = (client: pg.Client): Db => bindPg(sendOn(client));

const UNIQUE_VIOLATION = '23505';

/** An error of Postgres as slonik's, where its kind is asked for. */
export function typedError(error: Error & { code?: unknown }): Error {
  return error.code === UNIQUE_VIOLATION
    ? new UniqueIntegrityConstraintViolationError(error)
    : error;
}

/** Whether a statement failed because another row has the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof UniqueIntegrityConstraintViolationError;
}

/** A transaction whose `run` does not wait. */
interface RunningAhead {
  db: Db;
  /** Resolves when Postgres has done all that was sent; to be waited for before the commit. */
  settled(): Promise<unknown>;
}

/**
 * A transaction on one connection whose `run` resolves as soon as the statement is sent: Postgres does
 * it while our own work goes on. When one fails, so does everything behind it, with the same error.
 */
export function runAhead(send: Send): RunningAhead {
  const sent: Promise<void>[] = [];
  let failure: unknown;
  const db = bindPg((statement) =>
    send(statement).catch((error) => {
      // Those behind it say no more than that the transaction is lost.
      failure ??= error;
      throw failure;
    }),
  );
  const run: Db['run'] = async (statement) => {
    const answer = db.run(statement);
    // The next one that waits is told of it.
    answer.catch(() => undefined);
    sent.push(answer);
  };
  return { db: { ...db, run }, settled: () => pipelined(...sent) };
}

type Statements = readonly (Promise<unknown> | undefined)[];
type Results<T extends Statements> = { -readonly [K in keyof T]: Awaited<T[K]> };

/**
 * The results of statements that were sent on one connection without waiting for each other. It
 * settles when all of them have been answered, and rejects with the error of the first that failed:
 * those behind it say no more than that the transaction is lost.
 */
export async function pipelined<T extends Statements>(...statements: T): Promise<Results<T>> {
  const answers = await Promise.allSettled(statements);
  const results = answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
  return results as Results<T>;
}
