import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { constants } from '../../../db/runtime/constants.ts';
import { dishColumns, fromCells, unguardCell } from '../../../db/schema/dish-table.ts';
import type { Input } from '../../../db/schema/validation/check-input.ts';
import { createIgnoredFields } from '../../../db/schema/validation/ignored-fields.ts';
import { bodyTexts, type FieldErrors, ruleTexts } from '../../../db/schema/validation/messages.ts';
import type { MenuDocument } from './import-operations.ts';

/** As Excel on a Western European desk writes a table. */
const WINDOWS = new TextDecoder('windows-1252');
const UTF8 = new TextDecoder('utf-8');

const columnNames = dishColumns.map(({ name }) => name);

/** A row that is not empty, and its number in a spreadsheet. */
interface Line {
  row: number;
  cells: readonly string[];
}

/** What is wrong with rows that have more cells than the header: a separator stands unquoted in one. */
function longRows(width: number, lines: readonly Line[]): FieldErrors {
  const long = lines.flatMap(({ row, cells }, index): [string, string[]][] =>
    cells.slice(width).some((cell) => cell.trim() !== '')
      ? [[`items.${index}`, [bodyTexts.csvWide(row, cells.length, width)]]]
      : [],
  );
  return Object.fromEntries(long);
}

/** What is wrong with a header. */
function headerErrors(names: readonly string[]): FieldErrors {
  const known = names.filter((name) => columnNames.includes(name));
  if (known.length === 0) {
    return { body: [bodyTexts.csvHeader()] };
  }
  const repeated = known.filter((name, index) => known.indexOf(name) !== index);
  return Object.fromEntries(repeated.map((name) => [name, [ruleTexts.distinct(name)]]));
}

/** The rows of a table that are not empty, the header first. */
function readLines(document: Buffer): Line[] | { errors: FieldErrors } {
  const text = (isUtf8(document) ? UTF8 : WINDOWS).decode(document);
  const { maxTableRows, maxTableRowSize } = constants;
  try {
    const rows = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      max_record_size: maxTableRowSize,
      to: maxTableRows + 1,
    });
    if (rows.length > maxTableRows) return { errors: { body: [bodyTexts.csvLong(maxTableRows)] } };
    const lines = rows.map((cells, index) => ({ row: index + 1, cells }));
    return lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { noCsv, csvBroken } = bodyTexts;
    const trouble = typeof error.lines === 'number' ? csvBroken(error.lines) : noCsv();
    return { errors: { body: [trouble] } };
  }
}

/**
 * Dishes of a table with a header; columns with unknown names have no meaning. A step is one dish.
 *
 * @returns the dishes with the numbers of their rows
 */
export function* readCsv(
  document: Buffer,
): Generator<
  void,
  | { menu: MenuDocument; ignored: readonly string[]; rows: readonly number[] }
  | { errors: FieldErrors }
> {
  const read = readLines(document);
  if ('errors' in read) return read;
  const [header, ...lines] = read;
  const names = (header?.cells ?? []).map((name) => name.trim());
  const errors = { ...headerErrors(names), ...longRows(names.length, lines) };
  if (Object.keys(errors).length > 0) return { errors };
  // A short row says nothing of the columns that it lacks.
  const items: Input[] = [];
  for (const { cells } of lines) {
    const own = cells.slice(0, names.length);
    items.push(fromCells(new Map(own.map((cell, at) => [names[at] ?? '', unguardCell(cell)]))));
    yield;
  }
  const ignored = createIgnoredFields();
  ignored.note(Object.fromEntries(names.map((name) => [name, null])), ['', ...columnNames]);
  return {
    menu: { lists: { items } },
    ignored: ignored.paths(),
    rows: lines.map(({ row }) => row),
  };
}

/** The separator that the header has most of. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
