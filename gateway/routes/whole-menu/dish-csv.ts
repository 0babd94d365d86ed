import { stringify } from 'csv-stringify/sync';
import { dishColumns, guardCell, toCell } from '../../../db/schema/dish-table.ts';
import type { Row } from '../../../db/schema/record.ts';
import { LOCALES } from '../../../db/schema/values/locale.ts';

/** Tells Excel that the table is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

const FIRST: ReadonlySet<string> = new Set(LOCALES);

/** The columns of the first languages, and of every other in which the column says something. */
function columnsOf(items: readonly Row[]) {
  return dishColumns.filter(
    (column) =>
      !column.locale ||
      FIRST.has(column.locale) ||
      items.some((dish) => toCell(column, dish) !== ''),
  );
}

/**
 * The dishes of a menu as CSV, which an import takes again.
 *
 * @param delimiter with `;` prices have a decimal comma: so Excel reads and writes tables where it speaks
 *   Italian, French, German or Spanish
 */
export function dishCsv({ items }: Row, delimiter: ',' | ';'): string {
  const columns = columnsOf(items as Row[]);
  const header = columns.map(({ name }) => name);
  const rows = (items as Row[]).map((dish) =>
    columns.map((column) => {
      const cell = guardCell(toCell(column, dish));
      const isPrice = column.field?.kind === 'price';
      return isPrice && delimiter === ';' ? cell.replace('.', ',') : cell;
    }),
  );
  return BYTE_ORDER_MARK + stringify([header, ...rows], { delimiter });
}
