import {
  ALLERGEN_COLUMNS,
  guessColumns,
  isTiming,
  NO_TARGET,
} from '../../db/schema/column-names.ts';
import { dishColumns } from '../../db/schema/dish-table.ts';
import { type AskedTable, type DecimalSign, MAX_COLUMNS } from '../../db/schema/table.ts';
import { type Broken, broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { currencyDecimals } from '../../db/schema/values/currency.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import { type AllergenCodes, findCodes, unclearCodes } from './allergen-codes.ts';
import { type AllergenColumns, findAllergenColumns, unclearSigns } from './allergen-columns.ts';
import { isWhole } from './amount-words.ts';
import { type Column, givenTargets, isSingle, isUnknownTarget, settleColumns } from './columns.ts';
import { type Line, lineKey } from './line.ts';
import { bareCell, numberForm } from './numbers.ts';
import { headerAt, textsOf } from './sheets.ts';

/** How the rows of a table become dishes. */
export interface TablePlan {
  /** The row of the header, as a spreadsheet counts. */
  headerRow: number;
  columns: readonly Column[];
  /** Whether it is one of our own tables, whose texts are taken as they are. */
  isOwn: boolean;
  /** The rows below the header. */
  lines: readonly Line[];
  sign: DecimalSign | null;
  /** Null for a table without columns of one allergen each. */
  allergens: AllergenColumns | null;
  codes: AllergenCodes;
}

/** Columns of numbers with decimals. */
const PRICES = new Set([
  'size',
  ...dishColumns.flatMap(({ name, field }) => (field?.kind === 'price' ? [name] : [])),
]);
export const isPrice = (target: string) => PRICES.has(target);

function targetErrors(targets: readonly string[], asked: readonly (string | undefined)[]) {
  const unknown = asked.filter(isUnknownTarget);
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
  if (currencyDecimals(currency) === 0 || isWhole(currency))
    return number.includes(',') ? '.' : ',';
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
): { sign: DecimalSign | null; unclear: Broken[] } {
  const places = columns.flatMap(({ target }, at) => (isPrice(target) ? [at] : []));
  const prices = lines.flatMap(({ row, cells }) =>
    places.map((at) => ({ row, cell: bareCell(cells[at]) })),
  );
  const form = numberForm(prices.map(({ cell }) => cell));
  const unclear = form.unclear === null ? undefined : prices[form.unclear];
  if (asked || !unclear) return { sign: asked ?? form.sign, unclear: [] };
  const usual = usualSign(String(unclear.cell), columns, place);
  if (usual) return { sign: usual, unclear: [] };
  const number = String(unclear.cell);
  return { sign: null, unclear: [broken('csvUnclear', { row: unclear.row, number })] };
}

/** The columns whose meaning the sender has to say, each with an example. */
function unclearColumns(columns: readonly Column[]): Broken[] {
  return columns
    .filter(({ isAsked }) => isAsked)
    .map(({ header, left, examples }, at) => {
      const named = { header: header || String(at + 1), value: examples[0] ?? '' };
      return isTiming(left) ? broken('csvTiming', named) : broken('csvColumn', named);
    });
}

/** The plan as far as a table allows one. @throws nothing: what is wrong stands in `errors` */
export type Planned = Partial<TablePlan> & { errors: FieldErrors };

/** The lines with the cells that their sender has corrected, and without those that are left out. */
function correctedLines(lines: readonly Line[], { cells = {}, left_rows: left = [] }: AskedTable) {
  const entries = Object.entries(cells);
  if (entries.length === 0 && left.length === 0) return lines;
  const out = new Set(left);
  const byRow = new Map<string, [number, string][]>();
  for (const [place, text] of entries) {
    const [, row = '', at = ''] = /^(.*)\.(\d+)$/.exec(place) ?? [];
    byRow.set(row, [...(byRow.get(row) ?? []), [Number(at), text]]);
  }
  return lines.flatMap((line) => {
    if (out.has(lineKey(line))) return [];
    const corrected = byRow.get(lineKey(line));
    if (!corrected) return [line];
    const own = [...line.cells];
    for (const [at, text] of corrected) if (at < MAX_COLUMNS) own[at] = text;
    return [{ ...line, cells: Array.from(own, (cell) => cell ?? '') }];
  });
}

/** Plans how a table is read. */
export function planTable(all: readonly Line[], asked: AskedTable, place: TablePlace): Planned {
  const { locale, separator } = place;
  const noHeader = separator === null ? broken('sheetHeader') : broken('csvHeader');
  const at = headerAt(all, locale);
  const { [at]: header } = all;
  if (!header) return { errors: { body: [noHeader] } };
  if (header.cells.length > MAX_COLUMNS) {
    return { errors: { body: [broken('csvColumns', { max: MAX_COLUMNS })] } };
  }
  const lines = correctedLines(all.slice(at + 1), asked);
  const headers = textsOf(header);
  const given = givenTargets(headers, asked);
  const guess = guessColumns(headers, locale);
  const columns = settleColumns(headers, lines, guess, given, locale);
  const targets = columns.map(({ target }) => target);
  const plan = { headerRow: header.row, columns, lines, isOwn: guess.isOwn };
  if (
    columns.every(({ target, left }) => target === NO_TARGET && (left ?? 'chosen') === 'chosen')
  ) {
    return { ...plan, errors: { body: [noHeader] } };
  }
  const errors = { ...targetErrors(targets, given), ...longRows(headers.length, lines) };
  if (Object.keys(errors).length > 0) return { ...plan, errors };
  const allergens = findAllergenColumns(columns, lines, asked.signs);
  const codes = findCodes(
    columns,
    lines,
    targets.findIndex((one) => one.startsWith('name_')),
    asked,
  );
  const { sign, unclear } = findSign(columns, lines, asked.decimal_sign, place);
  const questions = [
    ...unclearColumns(columns),
    ...unclear,
    ...(allergens ? unclearSigns(allergens) : []),
    ...unclearCodes(codes),
  ];
  const found = { ...plan, allergens, codes, sign };
  return { ...found, errors: questions.length > 0 ? { body: questions } : {} };
}
