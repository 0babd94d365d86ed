import { Parser } from 'saxen';

// The reader of workbooks makes a row for each number up to the last one, and a cell for each column up
// to the last one of all rows. So the addresses decide how much memory a sheet takes, not its length.

/** The last row and column of Excel's own sheets. */
const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;

const localName = (name) => name.slice(name.indexOf(':') + 1);

/** The row and column of an address such as `B12`; null where Excel has no such cell. */
function placeOf(address) {
  const [, letters, digits] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(address) ?? [];
  if (!letters) return null;
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  const row = Number(digits);
  return row <= LAST_ROW && column <= LAST_COLUMN ? { row, column } : null;
}

/** The cells that a reader makes of one file of a workbook; null for an address that cannot be. */
function cellsOfSheet(xml) {
  const decoder = new TextDecoder();
  const last = { row: 0, column: 0 };
  let isSheet = false;
  let isWrong = false;
  let cell = null;
  const parser = new Parser();
  const refuse = () => {
    isWrong = true;
    parser.stop();
  };
  parser.on('error', refuse);
  parser.on('openTag', (tag, attributes, decode) => {
    const name = localName(tag);
    isSheet ||= name === 'sheetData';
    if (!isSheet) return;
    if (name === 'row' || name === 'c') {
      const found = Object.entries(attributes()).filter(([key]) => localName(key) === 'r');
      for (const [, text] of found) {
        const place = placeOf(name === 'row' ? `A${decode(text)}` : decode(text));
        if (!place) return refuse();
        if (name === 'c') cell = place;
      }
    } else if (cell && (name === 'v' || name === 'is')) {
      // Rows and cells without a value are often only formatted, down to Excel's last row.
      last.row = Math.max(last.row, cell.row);
      last.column = Math.max(last.column, cell.column);
    }
  });
  parser.parse(decoder.decode(xml));
  return isWrong ? null : last.row * last.column;
}

/**
 * How many cells a reader makes of all sheets; null for an address that no sheet of Excel has.
 *
 * @param files the bytes of the unpacked files by their paths
 */
export function countCells(files) {
  let sum = 0;
  for (const [path, bytes] of Object.entries(files)) {
    const cells = path.endsWith('.xml') ? cellsOfSheet(bytes) : 0;
    if (cells === null) return null;
    sum += cells;
  }
  return sum;
}
