import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { constants } from '../../../db/runtime/constants.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
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

/** The errors of rows that have more cells than the header: a separator stands unquoted in one. */
function longRows(width: number, lines: readonly Line[]): FieldErrors {
  const long = lines.flatMap(({ row, cells }, index): [string, string[]][] =>
    cells.slice(width).some((cell) => cell.trim() !== '')
      ? [[`items.${index}`, [bodyTexts.csvWide(row, cells.length, width)]]]
      : [],
  );
  return Object.fromEntries(long);
}

/** The errors of a header. */
function headerErrors(names: readonly string[]): FieldErrors {
  const known = names.filter((name) => columnNames.includes(name));
  if (known.length === 0) return { body: [bodyTexts.csvHeader()] };
  const repeated = known.filter((name, index) => known.indexOf(name) !== index);
  return Object.fromEntries(repeated.map((name) => [name, [ruleTexts.distinct(name)]]));
}

/** Bytes of a table that are read in one turn of the event loop. */
const STEP = 65_536;

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += STEP) {
    yield bytes.subarray(at, at + STEP);
    await nextTurn();
  }
}

/** The rows of a table that are not empty, the header first. */
async function readLines(document: Buffer): Promise<Line[] | { errors: FieldErrors }> {
  const text = (isUtf8(document) ? UTF8 : WINDOWS).decode(document);
  const { maxTableRows, maxTableRowSize } = constants;
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text),
    relax_column_count: true,
    max_record_size: maxTableRowSize,
  });
  try {
    const rows: string[][] = [];
    const pieces = Readable.from(inPieces(Buffer.from(text)), { objectMode: false });
    // The loop throws what goes wrong.
    for await (const row of pipeline(pieces, parser, () => undefined)) {
      rows.push(row);
      if (rows.length > maxTableRows) {
        return { errors: { body: [bodyTexts.csvLong(maxTableRows)] } };
      }
    }
    const lines = rows.map((cells, index) => ({ row: index + 1, cells }));
    return lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { noCsv, csvBroken } = bodyTexts;
    const trouble = typeof error.lines === 'number' ? csvBroken(error.lines) : noCsv();
    return { errors: { body: [trouble] } };
  }
}

/** The dishes of rows, one a step. A short row says nothing of the columns that it lacks. */
function* readDishes(names: readonly string[], lines: readonly Line[]): Generator<void, Input[]> {
  const dishes: Input[] = [];
  for (const { cells } of lines) {
    const own = cells.slice(0, names.length);
    dishes.push(fromCells(new Map(own.map((cell, at) => [names[at] ?? '', unguardCell(cell)]))));
    yield;
  }
  return dishes;
}

/** Dishes of a table with a header; columns with unknown names have no meaning. */
export async function readCsv(document: Buffer): Promise<MenuDocument | { errors: FieldErrors }> {
  const read = await readLines(document);
  if ('errors' in read) return read;
  const [header, ...lines] = read;
  const names = (header?.cells ?? []).map((name) => name.trim());
  const errors = { ...headerErrors(names), ...longRows(names.length, lines) };
  if (Object.keys(errors).length > 0) return { errors };
  const items = await inSlices(readDishes(names, lines), constants.writeSlice);
  const ignored = createIgnoredFields();
  ignored.note(Object.fromEntries(names.map((name) => [name, null])), ['', ...columnNames]);
  return { lists: { items }, ignored: ignored.paths(), rows: lines.map(({ row }) => row) };
}

/** The separator that the header has most of. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
