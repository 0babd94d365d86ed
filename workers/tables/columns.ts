import { groupBy } from '../../db/runtime/group-by.ts';
import { cellWords } from '../../db/schema/choice-words.ts';
import {
  COLUMN_TARGETS,
  type Guess,
  isRepeatable,
  isTiming,
  type LeftKind,
  NO_TARGET,
  plainName,
} from '../../db/schema/column-names.ts';
import { readFlag } from '../../db/schema/dish-table.ts';
import type { AskedTable } from '../../db/schema/table.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import type { Line } from './line.ts';
import { bareCell, type Cell, isNumber, isPriceCell } from './numbers.ts';

/** A column of a table and what it gives. */
export interface Column {
  header: string;
  /** `NO_TARGET` for a column that is left out. */
  target: string;
  /** Why a column that is understood is left out. */
  left: LeftKind | null;
  examples: readonly string[];
  /** The meanings that a column which is not understood might have. */
  mightBe: readonly string[];
  /** Whether its meaning has to be said before the table is imported. */
  isAsked: boolean;
}

/** A column while its meaning is settled. */
type Settling = Omit<Column, 'target' | 'examples'> &
  Guess & {
    isGiven: boolean;
    /** Its cells that are not empty. */
    cells: readonly Cell[];
  };

const SHOWN = 3;
const MAX_EXAMPLE = 60;

function examplesOf(cells: readonly Cell[]): string[] {
  const examples = new Set<string>();
  for (const cell of cells) {
    if (examples.size === SHOWN) break;
    examples.add(String(cell).slice(0, MAX_EXAMPLE));
  }
  return [...examples];
}

/** Whether most cells are of a kind. */
const most = (cells: readonly Cell[], is: (cell: Cell) => boolean) =>
  cells.filter(is).length * 2 > cells.length;

const isYes = (cell: Cell) => readFlag(String(cell)) === true;
const isNo = (cell: Cell) => readFlag(String(cell)) === false;
const isList = (name: string) => (cell: Cell) => {
  const words = cellWords(name, String(cell));
  return words.length > 0 && words.every(({ key }) => key !== undefined);
};
const isCodes = (cell: Cell) => {
  const words = cellWords('allergens', String(cell));
  return words.length > 1 && words.every(({ isCode }) => isCode);
};
const isDate = (cell: Cell) =>
  /^\d{4}-\d{2}-\d{2}$|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(String(cell));

/** The meanings that cells look like, where their header says nothing. */
function lookOf(cells: readonly Cell[], locale: Locale): { mightBe: string[]; isAsked: boolean } {
  if (cells.length === 0) return { mightBe: [], isAsked: false };
  const isFlags = cells.every((cell) => isYes(cell) || isNo(cell));
  if (isFlags)
    return { mightBe: ['is_active', 'is_sold_out', 'is_recommended'], isAsked: cells.some(isNo) };
  if (most(cells, isDate)) return { mightBe: ['visible_from', 'visible_until'], isAsked: false };
  if (most(cells, isNumber))
    return { mightBe: ['price', 'size', 'external_id', 'code'], isAsked: false };
  if (most(cells, isList('allergens')) || most(cells, isCodes)) {
    return { mightBe: ['allergens', 'traces', 'additives'], isAsked: true };
  }
  return {
    mightBe: [`description_${locale}`, `name_${locale}`, 'section', 'size_name'],
    isAsked: false,
  };
}

/** Targets that a table has once; every size has a column of its own. */
export const isSingle = (target: string) => target !== NO_TARGET && !isRepeatable(target);

/** Whether two columns say the same in each row. */
function agree(lines: readonly Line[], one: number, other: number): boolean {
  return lines.every(({ cells }) => {
    const [left, right] = [bareCell(cells[one]), bareCell(cells[other])];
    return left === '' || right === '' || String(left) === String(right);
  });
}

/** Two columns of such a meaning may contradict each other. */
const DECISIVE = new Set(['price', 'is_active', 'is_hidden', 'is_sold_out', 'in_stock']);

/** Of several columns with one meaning the first of the best rank counts, or the sender is asked. */
function settleRepeated(columns: Settling[], lines: readonly Line[]): void {
  const single = columns.filter(({ target }) => isSingle(target));
  for (const [target, alike] of groupBy(single, (column) => column.target)) {
    const given = alike.find(({ isGiven }) => isGiven);
    const best = Math.min(...alike.map(({ rank }) => rank));
    const [first, ...rivals] = alike.filter((column) => column.rank === best);
    const isRival = (column: Settling) =>
      !agree(lines, columns.indexOf(first as Settling), columns.indexOf(column));
    const isUnclear = !given && DECISIVE.has(target) && rivals.some(isRival);
    for (const column of alike.filter(({ isGiven }) => !isGiven)) {
      if (isUnclear && column.rank === best) {
        Object.assign(column, { target: NO_TARGET, mightBe: [target], isAsked: true });
      } else if (column !== (given ?? first)) {
        Object.assign(column, { target: NO_TARGET, left: 'repeated' });
      }
    }
  }
}

/** Whether some dish stands in several rows: with its name in each, or in the first one alone. */
function hasSeveralRows(columns: readonly Settling[], lines: readonly Line[]): boolean {
  const at = columns.findIndex(({ target }) => target.startsWith('name_'));
  const names = lines.map(({ cells }) => String(bareCell(cells[at])));
  return at >= 0 && (new Set(names).size < names.length || names.includes(''));
}

/**
 * A column that is called as sizes are, and has prices, is one size where no column is the price.
 * Beside a price its numbers name the sizes of dishes with several rows; else its sender is asked.
 */
function settleSizes(columns: Settling[], lines: readonly Line[]): void {
  const hasPrice = columns.some(({ target }) => target === 'price');
  for (const column of columns) {
    const { target, isGiven, cells } = column;
    if (target !== 'size_name' || isGiven || cells.length === 0 || !cells.every(isNumber)) continue;
    if (!hasPrice) column.target = 'size';
    else if (!hasSeveralRows(columns, lines)) {
      Object.assign(column, { target: NO_TARGET, mightBe: ['size_name', 'size'], isAsked: true });
    }
  }
}

/** Columns of yes and no in which most cells say neither hold something else. */
const FLAGS = new Set(['is_active', 'is_hidden', 'is_sold_out', 'in_stock']);
function settleFlags(columns: Settling[]): void {
  for (const column of columns) {
    const { target, isGiven, cells } = column;
    const isFlag = (cell: Cell) => isYes(cell) || isNo(cell);
    if (!FLAGS.has(target) || isGiven || cells.length === 0 || most(cells, isFlag)) continue;
    // Tills count what is in stock.
    const isCount = target === 'in_stock' && cells.every(isNumber);
    const unclear = { mightBe: [target], isAsked: true };
    Object.assign(column, { target: NO_TARGET, ...(isCount ? { left: 'stock' } : unclear) });
  }
}

/** A table that has no price yet is asked for one, and shown the columns that might be it. */
const isPriceTarget = (target: string) => target === 'price' || target === 'size';
function offerPrices(columns: Settling[]): void {
  if (columns.some(({ target }) => isPriceTarget(target))) return;
  for (const column of columns) {
    const isMoney = column.cells.length > 0 && most(column.cells, isPriceCell);
    if (column.target === NO_TARGET && isMoney)
      column.mightBe = ['price', 'size', ...column.mightBe.filter((one) => !isPriceTarget(one))];
  }
}

/**
 * Settles the meaning of each column by what its sender says, its header and its cells.
 *
 * @param given meanings that the sender gave, by place
 * @param isOwn whether the table is one of ours
 */
export function settleColumns(
  headers: readonly string[],
  lines: readonly Line[],
  { guesses, isOwn }: { guesses: readonly Guess[]; isOwn: boolean },
  given: readonly (string | undefined)[],
  locale: Locale,
): Column[] {
  const settling = headers.map((header, at): Settling => {
    const target = given[at];
    const guess = guesses[at] ?? { target: NO_TARGET, left: null, rank: 1 };
    const cells = lines.map((line) => bareCell(line.cells[at])).filter((cell) => cell !== '');
    const isGiven = target !== undefined;
    const column = { header, cells, isGiven, mightBe: [], isAsked: false, ...guess };
    // A column that its sender leaves out is understood.
    if (isGiven) return { ...column, target, left: target === NO_TARGET ? 'chosen' : null };
    if (guess.target !== NO_TARGET) return column;
    if (guess.left) return { ...column, isAsked: isTiming(guess.left) && cells.length > 0 };
    const look = lookOf(cells, locale);
    return { ...column, ...look, isAsked: !isOwn && look.isAsked };
  });
  // A column of ours that stands there twice is a mistake, which the plan refuses.
  if (!isOwn) {
    settleFlags(settling);
    settleRepeated(settling, lines);
    settleSizes(settling, lines);
  }
  offerPrices(settling);
  return settling.map(({ cells, rank: _rank, isGiven: _given, ...column }) => ({
    ...column,
    examples: examplesOf(cells),
  }));
}

/** The meanings that a sender gave, by the places of the columns. */
export function givenTargets(headers: readonly string[], { columns, places }: AskedTable) {
  const byName = new Map(Object.entries(columns ?? {}).map(([name, to]) => [plainName(name), to]));
  return headers.map((header, at) => places?.[at] ?? byName.get(plainName(header)) ?? undefined);
}

/** Whether a meaning is none of ours. */
export const isUnknownTarget = (target: string | undefined) =>
  Boolean(target) && !COLUMN_TARGETS.includes(target ?? '');
