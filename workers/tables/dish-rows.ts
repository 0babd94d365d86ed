import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { dishColumns, fromCells, unguardCell } from '../../db/schema/dish-table.ts';
import type { AskedTable, TableFacts } from '../../db/schema/table.ts';
import type { Input } from '../../db/schema/validation/check-input.ts';
import { createIgnoredFields } from '../../db/schema/validation/ignored-fields.ts';
import { type Broken, broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import type { MenuDocument } from '../writes/bulk/import-operations.ts';
import { type Cell, type NumberForm, numberForm, readNumber } from './numbers.ts';
import { type Line, readLines } from './read-lines.ts';

const columnNames = dishColumns.map(({ name }) => name);
/** Columns of numbers with decimals. */
const priceColumns = new Set(
  dishColumns.flatMap(({ name, field }) => (field?.kind === 'price' ? [name] : [])),
);

/** The errors of rows that have more cells than the header: a separator stands unquoted in one. */
function longRows(width: number, lines: readonly Line[]): FieldErrors {
  const long = lines.flatMap(({ row, cells }, index): [string, Broken[]][] =>
    cells.slice(width).some((cell) => String(cell).trim() !== '')
      ? [[`items.${index}`, [broken('csvWide', { row, cells: cells.length, width })]]]
      : [],
  );
  return Object.fromEntries(long);
}

/** The errors of a header. */
function headerErrors(names: readonly string[]): FieldErrors {
  const known = names.filter((name) => columnNames.includes(name));
  if (known.length === 0) return { body: [broken('csvHeader')] };
  const repeated = known.filter((name, index) => known.indexOf(name) !== index);
  return Object.fromEntries(repeated.map((name) => [name, [broken('distinct')]]));
}

/** A name of a column as the table's own columns are called: `Name_IT` is `name_it`. */
function columnName(cell: Cell): string {
  const name = String(cell).trim();
  const small = name.toLowerCase();
  return columnNames.includes(small) ? small : name;
}

/** The numbers of a table with the rows in which they stand. */
function pricesOf(names: readonly string[], lines: readonly Line[]) {
  const columns = names.flatMap((name, at) => (priceColumns.has(name) ? [at] : []));
  return lines.flatMap(({ row, cells }) =>
    columns.map((at) => ({ row, cell: unguardNumber(cells[at] ?? '') })),
  );
}

function unguardNumber(cell: Cell): Cell {
  return typeof cell === 'number' ? cell : unguardCell(cell).trim();
}

/** How the prices are written; or the error of one that can be read in two ways. */
function findNumberForm(
  names: readonly string[],
  lines: readonly Line[],
  { decimal_sign: asked }: AskedTable,
): NumberForm | { errors: FieldErrors } {
  const prices = pricesOf(names, lines);
  const form = numberForm(prices.map(({ cell }) => cell));
  if (asked) return { sign: asked, unclear: null };
  const unclear = form.unclear === null ? undefined : prices[form.unclear];
  if (!unclear) return form;
  return {
    errors: { body: [broken('csvUnclear', { row: unclear.row, number: String(unclear.cell) })] },
  };
}

/** The dishes of rows, one a step. A short row says nothing of the columns that it lacks. */
function* readDishes(
  names: readonly string[],
  lines: readonly Line[],
  { sign }: NumberForm,
): Generator<void, Input[]> {
  const dishes: Input[] = [];
  const textOf = (cell: Cell, name: string) =>
    priceColumns.has(name)
      ? readNumber(unguardNumber(cell), sign)
      : unguardCell(String(cell)).trim();
  for (const { cells } of lines) {
    const own = cells.slice(0, names.length).map((cell, at): [string, string] => {
      const name = names[at] ?? '';
      return [name, textOf(cell, name)];
    });
    dishes.push(fromCells(new Map(own)));
    yield;
  }
  return dishes;
}

/** A table as a document of dishes, and how it was read. */
export type ReadTable = MenuDocument & { table: TableFacts };

/**
 * Dishes of a table with a header; columns with unknown names have no meaning.
 *
 * @param asked what the sender says of the table; the rest is found
 */
export async function readDishTable(
  document: Buffer,
  asked: AskedTable,
): Promise<ReadTable | { errors: FieldErrors }> {
  const read = await readLines(document, asked);
  if ('errors' in read) return read;
  const [header, ...lines] = read.lines;
  const names = (header?.cells ?? []).map(columnName);
  const errors = { ...headerErrors(names), ...longRows(names.length, lines) };
  if (Object.keys(errors).length > 0) return { errors };
  const form = findNumberForm(names, lines, asked);
  if ('errors' in form) return form;
  const items = await inSlices(readDishes(names, lines, form), constants.writeSlice);
  const ignored = createIgnoredFields();
  ignored.note(Object.fromEntries(names.map((name) => [name, null])), ['', ...columnNames]);
  const { encoding, separator } = read;
  return {
    ...{ lists: { items }, ignored: ignored.paths(), rows: lines.map(({ row }) => row) },
    table: { encoding, separator, decimal_sign: form.sign },
  };
}
