import pg from 'pg';
import sqlTag, { empty, join, raw, type Sql } from 'sql-template-tag';
import * as v from 'valibot';

/** A piece of SQL with its values, to stand in a statement or in another piece. */
export type Fragment = Sql;

/** The values that pg can send as a parameter. */
type Value = string | number | boolean | null | Date | Buffer | readonly Value[];

export type RowSchema = v.GenericSchema;

/** A statement ready to be sent; each of its rows must fit the schema. */
export interface Statement<S extends RowSchema = RowSchema> {
  text: string;
  values: unknown[];
  /** Under which Postgres keeps its plan. */
  name?: string;
  schema: S;
}

type Tag<T> = (strings: TemplateStringsArray, ...values: (Fragment | Value)[]) => T;

function tag<S extends RowSchema>(schema: S, name?: string): Tag<Statement<S>> {
  return (strings, ...parts) => {
    const { text, values } = sqlTag(strings, ...parts);
    return { text, values, schema, ...(name !== undefined && { name }) };
  };
}

const identifier = (parts: readonly string[]): Fragment =>
  raw(parts.map((part) => pg.escapeIdentifier(part)).join('.'));

/** The value of a row's only column. */
const onlyColumn = v.pipe(
  v.looseObject({}),
  v.transform((row) => Object.values(row)[0]),
);

/**
 * Makes statements of templates: what stands in `${}` is a fragment or becomes a parameter.
 * `sql.type(schema)` is for statements whose rows have columns, `sql.value(schema)` where each row is
 * the value of its only column, and `sql.nothing` for all others.
 */
export const sql = {
  type: <S extends RowSchema>(schema: S) => tag(schema),
  value: <S extends RowSchema>(schema: S) => tag(v.pipe(onlyColumn, schema)),
  /** A statement with rows that Postgres plans once for each connection. */
  prepared: <S extends RowSchema>(name: string, schema: S) => tag(schema, name),
  nothing: tag(v.strictObject({})),
  fragment: sqlTag as Tag<Fragment>,
  /** A name, or the parts of a qualified one. */
  identifier,
  /** Names with commas between them, as a list of columns has them. */
  identifiers: (names: readonly string[]): Fragment =>
    join(
      names.map((name) => identifier([name])),
      ', ',
    ),
  /** A text where Postgres takes no parameter. */
  literal: (text: string): Fragment => raw(pg.escapeLiteral(text)),
  /** Fragments with `separator` between them; there may be none. */
  join: (fragments: readonly Fragment[], separator: string): Fragment =>
    fragments.length === 0 ? empty : join(fragments, separator),
  /** Values as an array of Postgres's `type`. */
  array: (values: readonly Value[], type: string): Fragment => sqlTag`${values}::${raw(type)}[]`,
};

/** A value of each row by `pick`, as an array of Postgres's `type`: `unnest` makes rows of several. */
export function column<R>(rows: readonly R[], pick: (row: R) => Value, type: string): Fragment {
  return sql.array(rows.map(pick), type);
}

/** Between texts that travel as one. JSON never has it, nor has a text of a menu. */
export const TEXT_SEPARATOR = '\x1c';

/**
 * The same for long texts, none of them empty: they travel as one, which needs no escapes on either
 * side.
 */
export function textColumn<R>(rows: readonly R[], pick: (row: R) => string): Fragment {
  return sqlTag`string_to_array(${rows.map(pick).join(TEXT_SEPARATOR)}::text, ${TEXT_SEPARATOR})`;
}

/**
 * The argument of a database operation: the pool, a transaction of it, or the transaction in which the
 * queue completes a job. Rows are checked against the statement's schema in all of them.
 */
export interface Db {
  /** All rows. */
  any<S extends RowSchema>(statement: Statement<S>): Promise<readonly v.InferOutput<S>[]>;
  /** The only row; throws when there is none or more than one. */
  one<S extends RowSchema>(statement: Statement<S>): Promise<v.InferOutput<S>>;
  /** The only row or null; throws when there are more. */
  maybeOne<S extends RowSchema>(statement: Statement<S>): Promise<v.InferOutput<S> | null>;
  /** Runs a statement for its effect and says how many rows it touched. */
  run(statement: Statement): Promise<number>;
}

/** Sends a statement on its way to Postgres. */
export type Send = (
  statement: Statement,
) => Promise<{ rows: readonly unknown[]; rowCount?: number | null }>;

/** A row as its statement's schema makes it. */
function checkRow<S extends RowSchema>({ schema, text }: Statement<S>, row: unknown) {
  const { success, issues, output } = v.safeParse(schema, row);
  if (success) return output;
  // Without the values, which may be texts of a menu.
  const places = issues.map((issue) => `${v.getDotPath(issue)} is not ${issue.expected}`);
  throw new Error(`a row has another shape: ${places.join(', ')}; ${text}`);
}

/** The database operations over a way to send statements. */
export function bindDb(send: Send): Db {
  const any: Db['any'] = async (statement) => {
    const { rows } = await send(statement);
    return rows.map((row) => checkRow(statement, row));
  };
  const atMostOne = async <S extends RowSchema>(statement: Statement<S>) => {
    const rows = await any(statement);
    if (rows.length > 1) throw new Error(`expected one row at most, got ${rows.length}`);
    return rows[0];
  };
  return {
    any,
    maybeOne: async (statement) => (await atMostOne(statement)) ?? null,
    one: async (statement) => {
      const row = await atMostOne(statement);
      // The value of an only column may be null.
      if (row === undefined) throw new Error('expected a row, got none');
      return row;
    },
    run: async (statement) => (await send(statement)).rowCount ?? 0,
  };
}
