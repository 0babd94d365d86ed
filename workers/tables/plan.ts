import {
  ALLERGEN_COLUMNS,
  COLUMN_TARGETS,
  guessColumns,
  isRepeatable,
  NO_TARGET,
  plainName,
} from '../../db/schema/column-names.ts';
import { dishColumns, unguardCell } from '../../db/schema/dish-table.ts';
import { type AskedTable, type DecimalSign, MAX_COLUMNS } from '../../db/schema/table.ts';
import { type Broken, broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { currencyDecimals } from '../../db/schema/values/currency.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import { type AllergenColumns, findAllergenColumns, unclearSigns } from './allergen-columns.ts';
import { type Cell, isNumber, numberForm } from './numbers.ts';
import type { Line } from './read-lines.ts';

/** A column of a table. */
interface Column {
  header: string;
  target: string;
}

/** How the rows of a table become dishes. */
export interface TablePlan {
  /** The row of the header, as a spreadsheet counts. */
  headerRow: number;
  columns: readonly Column[];
  /** The rows below the header. */
  lines: readonly Line[];
  sign: DecimalSign | null;
  /** Null for a table without columns of one allergen each. */
  allergens: AllergenColumns | null;
}

/** Lines among which the header is looked for: titles may stand above it. */
const HEADER_WITHIN = 10;

/** Targets that a table has once; every size has a column of its own. */
const isSingle = (target: string) => target !== NO_TARGET && !isRepeatable(target);

/** A name that shows a header; a row of a dish may have those of several allergens. */
const showsHeader = (target: string) => target !== NO_TARGET && !ALLERGEN_COLUMNS.has(target);

/** Columns of numbers with decimals. */
const PRICES = new Set([
  'size',
  ...dishColumns.flatMap(({ name, field }) => (field?.kind === 'price' ? [name] : [])),
]);
export const isPrice = (target: string) => PRICES.has(target);

/** A cell without the guard and the blanks of a spreadsheet; a name has one line. */
export function bareCell(cell: Cell | undefined): Cell {
  return typeof cell === 'number' ? cell : unguardCell(cell ?? '').trim();
}

const textsOf = ({ cells }: Line) =>
  cells.slice(0, MAX_COLUMNS).map((cell) => String(bareCell(cell)));

/** The place of the header among the lines: the first one with the most known names. */
function headerAt(lines: readonly Line[], locale: Locale): number {
  const known = lines
    .slice(0, HEADER_WITHIN)
    .map((line) => guessColumns(textsOf(line), locale).filter(showsHeader).length);
  return Math.max(0, known.indexOf(Math.max(...known, 1)));
}

/** The headers of a table. */
export function headersOf(lines: readonly Line[], locale: Locale): string[] {
  const header = lines[headerAt(lines, locale)];
  return header ? textsOf(header) : [];
}

function askedTargets(headers: readonly string[], { columns, places }: AskedTable) {
  const byName = new Map(Object.entries(columns ?? {}).map(([name, to]) => [plainName(name), to]));
  return headers.map((header, at) => places?.[at] ?? byName.get(plainName(header)));
}

function targetErrors(
  targets: readonly string[],
  asked: readonly (string | undefined)[],
): FieldErrors {
  const unknown = asked.flatMap((one) => (one && !COLUMN_TARGETS.includes(one) ? [one] : []));
  const repeated = targets.filter((one, at) => isSingle(one) && targets.indexOf(one) !== at);
  // Two columns might say different things of one allergen.
  const hasBoth = targets.some((one) => ALLERGEN_COLUMNS.has(one));
  repeated.push(...targets.filter((one) => hasBoth && /^(allergens|traces)$/.test(one)));
  return Object.fromEntries([
    ...unknown.map((): [string, Broken[]] => ['columns', [broken('invalid')]]),
    ...repeated.map((name): [string, Broken[]] => [name, [broken('distinct')]]),
  ]);
}

/** The errors of rows that have more cells than the header: a separator stands unquoted in one. */
function longRows(width: number, lines: readonly Line[]): FieldErrors {
  const long = lines.flatMap(({ row, cells }, index): [string, Broken[]][] =>
    cells.slice(width).some((cell) => bareCell(cell) !== '')
      ? [[`items.${index}`, [broken('csvWide', { row, cells: cells.length, width })]]]
      : [],
  );
  return Object.fromEntries(long);
}

/** Data about a table, beside its lines, that decide how it is read. */
interface TablePlace {
  /** Of texts whose language no header names. */
  locale: Locale;
  /** Of the restaurant. */
  currency: string;
  /** Between cells; null in a workbook. */
  separator: string | null;
}

/** The sign of a number such as `1.250`, which has two readings; null where nothing shows it. */
function usualSign(
  number: string,
  columns: readonly Column[],
  { currency, separator }: TablePlace,
): DecimalSign | null {
  // Without decimals the three digits are thousands.
  if (currencyDecimals(currency) === 0) return number.includes(',') ? '.' : ',';
  const isOwn = columns.some(({ target }) => target === 'id' || target === 'external_id');
  if (currencyDecimals(currency) < 3 || !isOwn) return null;
  return separator === ';' ? ',' : '.';
}

/** How prices are written; or the error of one that can be read in two ways. */
function findSign(
  columns: readonly Column[],
  lines: readonly Line[],
  asked: DecimalSign | undefined,
  place: TablePlace,
): { sign: DecimalSign | null } | { errors: FieldErrors } {
  const places = columns.flatMap(({ target }, at) => (isPrice(target) ? [at] : []));
  const prices = lines.flatMap(({ row, cells }) =>
    places.map((at) => ({ row, cell: bareCell(cells[at]) })),
  );
  const form = numberForm(prices.map(({ cell }) => cell));
  const unclear = form.unclear === null ? undefined : prices[form.unclear];
  if (asked || !unclear) return { sign: asked ?? form.sign };
  const usual = usualSign(String(unclear.cell), columns, place);
  if (usual) return { sign: usual };
  return {
    errors: { body: [broken('csvUnclear', { row: unclear.row, number: String(unclear.cell) })] },
  };
}

/** A column that is called as sizes are, and has prices, is one size. */
function settleSizes(columns: readonly Column[], lines: readonly Line[]): Column[] {
  return columns.map((column, at) => {
    if (column.target !== 'size_name') return column;
    const cells = lines.map(({ cells: all }) => bareCell(all[at])).filter((cell) => cell !== '');
    return cells.length > 0 && cells.every(isNumber) ? { ...column, target: 'size' } : column;
  });
}

/** The plan as far as a table allows one. @throws nothing: what is wrong stands in `errors` */
export type Planned = Partial<TablePlan> & { errors: FieldErrors };

/** Plans how a table is read. */
export function planTable(all: readonly Line[], asked: AskedTable, place: TablePlace): Planned {
  const { locale } = place;
  const at = headerAt(all, locale);
  const { [at]: header } = all;
  if (!header) return { errors: { body: [broken('csvHeader')] } };
  if (header.cells.length > MAX_COLUMNS) {
    return { errors: { body: [broken('csvColumns', { max: MAX_COLUMNS })] } };
  }
  const lines = all.slice(at + 1);
  const headers = textsOf(header);
  const given = askedTargets(headers, asked);
  const guessed = guessColumns(headers, locale);
  const targets = given.map((one, nth) => one ?? guessed[nth] ?? NO_TARGET);
  const named = headers.map((name, nth) => ({
    header: name,
    target: targets[nth] ?? NO_TARGET,
  }));
  const columns = settleSizes(named, lines);
  const plan = { headerRow: header.row, columns, lines };
  if (targets.every((target) => target === NO_TARGET)) {
    return { ...plan, errors: { body: [broken('csvHeader')] } };
  }
  const errors = { ...targetErrors(targets, given), ...longRows(headers.length, lines) };
  if (Object.keys(errors).length > 0) return { ...plan, errors };
  const allergens = findAllergenColumns(columns, lines, asked.signs);
  const whole = { ...plan, allergens };
  const found = findSign(columns, lines, asked.decimal_sign, place);
  if ('errors' in found) return { ...whole, errors: found.errors };
  const unclear = allergens ? unclearSigns(allergens) : [];
  return { ...whole, ...found, errors: unclear.length > 0 ? { body: unclear } : {} };
}
