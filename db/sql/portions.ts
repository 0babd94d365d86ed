import * as v from 'valibot';
import { checkRow, type Db, type Fragment, type RowSchema, sql } from '../postgres/sql.ts';
import { inSlices } from '../runtime/in-slices.ts';

/** Records of a menu that Postgres sends as one text: it is read in a millisecond. */
export const RECORDS_PER_PORTION = 50;

/** The rows of portions, a row a step. */
function* readPortions<S extends RowSchema>(
  schema: S,
  portions: readonly string[],
  statement: string,
): Generator<void, v.InferOutput<S>[]> {
  const rows: v.InferOutput<S>[] = [];
  for (const portion of portions) {
    for (const row of JSON.parse(portion)) {
      rows.push(checkRow(schema, row, statement));
      yield;
    }
  }
  return rows;
}

/**
 * The rows of a query that may have thousands, in its order. They come as JSON in portions: neither the
 * connection nor the reader of JSON keeps the event loop for long.
 */
export async function manyRows<S extends RowSchema>(db: Db, schema: S, query: Fragment) {
  const statement = sql.value(v.string())`
    select json_agg(y.x order by y.place)::text
    from (select x, row_number() over () - 1 as place from (${query}) x) y
    group by y.place / ${RECORDS_PER_PORTION}::int order by min(y.place)
  `;
  return inSlices(readPortions(schema, await db.any(statement), statement.sql));
}
