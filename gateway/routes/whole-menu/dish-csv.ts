import { stringify } from 'csv-stringify/sync';
import { dishColumns, guardCell, toCell } from '../../../db/schema/dish-table.ts';
import type { Row } from '../../../db/schema/record.ts';

/** Tells Excel that the table is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * The dishes of a menu as CSV, which an import takes again.
 *
 * @param delimiter with `;` prices have a decimal comma: so Excel reads and writes tables where it speaks
 *   Italian, French, German or Spanish
 */
export function dishCsv({ items }: Row, delimiter: ',' | ';'): string {
  const header = dishColumns.map(({ name }) => name);
  const rows = (items as Row[]).map((dish) =>
    dishColumns.map((column) => {
      const cell = guardCell(toCell(column, dish));
      const isPrice = column.field?.kind === 'price';
      return isPrice && delimiter === ';' ? cell.replace('.', ',') : cell;
    }),
  );
  return BYTE_ORDER_MARK + stringify([header, ...rows], { delimiter });
}
