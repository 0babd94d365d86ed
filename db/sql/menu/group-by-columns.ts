import { sql } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { groupBy } from '../../runtime/group-by.ts';
import type { Row } from '../../schema/record.ts';

/** Rows that have the same columns, with these columns as a list for a statement. */
export function groupByColumns(rows: readonly Row[]) {
  const groups = groupBy(rows, (row) => Object.keys(row).join());
  return [...groups.values()].map((group) => {
    const names = Object.keys(group[0] as Row);
    return { names, columns: sql.identifiers(names), group };
  });
}

/** Rows in portions, so that no statement takes long to make. */
export function* inPortions<R>(rows: readonly R[]): Generator<readonly R[]> {
  const { recordsPerStatement } = constants;
  for (let at = 0; at < rows.length; at += recordsPerStatement) {
    yield rows.slice(at, at + recordsPerStatement);
  }
}
