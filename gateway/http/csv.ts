import { inOneGo } from '../../db/runtime/in-slices.ts';
import { joinInSteps } from '../../db/runtime/join-in-steps.ts';

/** Tells Excel that a table is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** The headers of a table that a browser stores. @param file its name */
export const csvHeaders = (file: string) => ({
  'Content-Type': CSV_TYPE,
  'Content-Disposition': `attachment; filename="${file}"`,
});

/** Cells that need quotes around them (RFC 4180), by the sign between cells. */
const QUOTED = { ',': /[",\r\n]/, ';': /[";\r\n]/ };
export type Delimiter = keyof typeof QUOTED;

function csvLine(cells: readonly string[], delimiter: Delimiter): string {
  const quoted = cells.map((cell) =>
    QUOTED[delimiter].test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(delimiter)}\n`;
}

/** Text of so many characters becomes bytes at once. */
const PIECE_LENGTH = 16_384;

/** A table as CSV, its head among the rows; a step is one of them. */
export function* csvInSteps(
  rows: Iterable<readonly string[]>,
  delimiter: Delimiter,
): Generator<void, Buffer> {
  const pieces: Buffer[] = [];
  let text = BYTE_ORDER_MARK;
  for (const row of rows) {
    text += csvLine(row, delimiter);
    if (text.length > PIECE_LENGTH) {
      pieces.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  return yield* joinInSteps([...pieces, Buffer.from(text)]);
}

/** The same in one go. */
export function writeCsv(rows: readonly (readonly string[])[], delimiter: Delimiter = ','): Buffer {
  return inOneGo(csvInSteps(rows, delimiter));
}
