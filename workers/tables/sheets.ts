import { guessColumns, plainName } from '../../db/schema/column-names.ts';
import { type AskedTable, MAX_COLUMNS } from '../../db/schema/table.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import type { Line } from './line.ts';
import { bareCell } from './numbers.ts';

/** Lines among which the header is looked for: titles may stand above it. */
const HEADER_WITHIN = 10;

export const textsOf = ({ cells }: Pick<Line, 'cells'>) =>
  cells.slice(0, MAX_COLUMNS).map((cell) => String(bareCell(cell)));

/** The names of a row that show that it is a header; a dish may have those of several allergens. */
function knownNames(line: Line, locale: Locale): number {
  const { guesses } = guessColumns(textsOf(line), locale);
  const names = guesses.map(({ target, left }) => left ?? target);
  return new Set(names.filter((name) => /^(?!$|allergen_|label_)/.test(name))).size;
}

/** The place of the header among the lines: the first one with the most known names. */
export function headerAt(lines: readonly Line[], locale: Locale): number {
  const known = lines.slice(0, HEADER_WITHIN).map((line) => knownNames(line, locale));
  return Math.max(0, known.indexOf(Math.max(...known, 1)));
}

/** The headers of a table. */
export function headersOf(lines: readonly Line[], locale: Locale): string[] {
  const header = lines[headerAt(lines, locale)];
  return header ? textsOf(header) : [];
}

/** A sheet of a workbook with its rows that are not empty. */
interface Sheet {
  name: string;
  isHidden: boolean;
  lines: readonly Line[];
}

const keyOf = (headers: readonly string[]) => headers.map(plainName).join('\n').trim();

/** Whether a sheet holds dishes: a column has their names. */
function holdsDishes({ lines }: Sheet, locale: Locale): boolean {
  const { guesses } = guessColumns(headersOf(lines, locale), locale);
  return guesses.some(({ target }) => target.startsWith('name_'));
}

/**
 * The lines of a workbook: those of the sheet that is asked for, else of the first one with dishes, and
 * of the others that have the same columns. The rest is named.
 */
export function joinSheets(all: readonly Sheet[], locale: Locale, asked: AskedTable['sheet']) {
  const sheets = all.filter(({ lines }) => lines.length > 0);
  const open = sheets.filter(({ isHidden }) => !isHidden);
  const first =
    asked === undefined
      ? (open.find((sheet) => holdsDishes(sheet, locale)) ?? open[0] ?? sheets[0])
      : sheets.find(({ name }) => name === asked);
  const key = first && keyOf(headersOf(first.lines, locale));
  const isRead = (sheet: Sheet) =>
    sheet === first ||
    (asked === undefined && !sheet.isHidden && keyOf(headersOf(sheet.lines, locale)) === key);
  const read = sheets.filter(isRead);
  const lines = read.flatMap(({ name, lines: own }, at) => {
    const below = at === 0 ? own : own.slice(headerAt(own, locale) + 1);
    return read.length > 1 ? below.map((line) => ({ ...line, sheet: name })) : below;
  });
  return {
    lines,
    sheets: sheets.map((sheet) => ({
      ...{ name: sheet.name.slice(0, 100), rows: sheet.lines.length, is_read: isRead(sheet) },
    })),
  };
}
