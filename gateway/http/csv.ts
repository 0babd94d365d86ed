import { stringify } from 'csv-stringify/sync';

/** Tells Excel that a table is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** The headers of a table that a browser stores. @param file its name */
export const csvHeaders = (file: string) => ({
  'Content-Type': CSV_TYPE,
  'Content-Disposition': `attachment; filename="${file}"`,
});

/** A table as CSV, its head among the rows. */
export function writeCsv(rows: readonly (readonly string[])[], delimiter: ',' | ';' = ','): Buffer {
  return Buffer.from(BYTE_ORDER_MARK + stringify([...rows], { delimiter }));
}
