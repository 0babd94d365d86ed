import { decodeHTML } from 'entities/decode';
import { laterDay } from '../../db/hours/served.js';
import { toUtc } from '../../db/runtime/zone-clock.ts';
import { LABEL_COLUMNS, languageNamed, NO_TARGET } from '../../db/schema/column-names.ts';
import { dishColumns, readFlag } from '../../db/schema/dish-table.ts';
import { type Broken, broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import { decodeCells } from './allergen-codes.ts';
import { energyIn } from './amount-words.ts';
import type { Line } from './line.ts';
import { bareCell, type Cell, readAmount, readWhole } from './numbers.ts';
import { isPrice, type TablePlan } from './plan.ts';

/** Elements that editors of shops write into descriptions, and those of them that end a line. */
const NAMES =
  'p|br|div|span|b|i|u|em|strong|small|sub|sup|ul|ol|li|h[1-6]|a|font|table|tbody|tr|td|th|hr|img';
const TAG = new RegExp(`</?(?:${NAMES})(?:\\s[^<>]{0,2000})?/?>`, 'gi');
const LINE = /^<(?:br|\/p|\/div|\/li|\/tr|\/h)/i;
/** Signs that turn the direction of what follows: Word writes them, and no menu needs them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** The text of a cell of somebody else's table: without HTML and without signs that turn directions. */
function plainText(cell: string): string {
  const text = cell.replace(TURNS, '');
  if (!/[<&]/.test(text)) return text;
  const bare = text.replace(TAG, (tag) => (LINE.test(tag) ? '\n' : ' '));
  const isMarked = bare !== text;
  const decoded = decodeHTML(bare);
  if (!isMarked) return decoded.replaceAll('\u00a0', ' ');
  return decoded
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

/** Columns that hold names, which have one line. */
const LINES = new Set(['description', 'photo_alt']);
const kinds = new Map(dishColumns.map(({ name, field }) => [name, field?.kind]));
const oneLine = new Set(
  dishColumns.flatMap(({ name, field, fieldName }) =>
    field?.kind === 'text' && !LINES.has(fieldName) ? [name] : [],
  ),
);
const translated = new Set(dishColumns.flatMap(({ name, locale }) => (locale ? [name] : [])));

/** A cell of a row, for errors: where it stands, and what it says. */
interface CellPlace {
  at: number;
  header: string;
  value: string;
}

/** The price of a size with its label. */
interface SizePrice {
  label: string;
  price: string;
}

/** A row's cells by the meaning of their columns; sizes stand in `sizes`, and what the price is called. */
export interface Entries {
  line: Line;
  cells: Map<string, string>;
  places: Map<string, CellPlace>;
  sizes: SizePrice[];
  priceLabel: string;
  /** The label of the size that the row is; empty for a whole dish. */
  sizeLabel: string;
  /** Labels of dishes that columns speak of, and whether it has them. */
  labels: Map<string, boolean>;
  /** The language of the row's texts, where a column says it. */
  language: Locale | null;
  errors: FieldErrors;
}

/** The first name that a row gives its dish; empty where it gives none. */
export const dishName = ({ cells }: Entries) =>
  [...cells].find(([target, text]) => target.startsWith('name_') && text !== '')?.[1] ?? '';

export function sameLine(text: string): string {
  return text.replace(/\s*[\t\n\r]+\s*/g, ' ');
}

/** How spreadsheets show that a formula has failed, in their languages: `#REF!`, `#WERT!`, `#N/A`. */
const FAILED = /^#(?:\p{Lu}[\p{Lu}\p{N}/_ ]{1,20}[!?]|N\/A|NV|N\/D|NA)$/u;
const isFailed = (cell: Cell) => typeof cell === 'string' && FAILED.test(cell);

/** A number of a workbook as the house writes it: `0,3` names a size. */
const written = (cell: Cell, locale: Locale) =>
  typeof cell === 'number'
    ? new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 6 }).format(cell)
    : cell;

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** The day of a cell as `YYYY-MM-DD`; null where the day and the month could be each other. */
function dayOf(text: string): string | null {
  const whole = DAY.exec(text.slice(0, 10));
  if (whole && /^.{10}([T ]|$)/.test(text)) return whole[0];
  const [, day = '', month = '', year = ''] = DOTTED.exec(text) ?? SLASHED.exec(text) ?? [];
  if (year === '' || (text.includes('/') && Number(day) <= 12)) return null;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The moment of a day at which a dish appears, or after which it leaves. */
function momentOf(text: string, isEnd: boolean, timezone: string): string {
  const day = dayOf(text);
  if (day === null || Number.isNaN(Date.parse(day))) return text;
  return toUtc(`${isEnd ? laterDay(day, 1) : day}T00:00`, timezone);
}

/** The facts of a house that decide how cells are read, beside the plan. */
export interface Reading {
  locale: Locale;
  timezone: string;
}

function readPrice(entries: Entries, target: string, cell: Cell, plan: TablePlan): void {
  const { kind, text, unit } = readAmount(cell, plan.sign);
  const { cells, errors } = entries;
  if (plan.isOwn) {
    cells.set(target, text);
    return;
  }
  if (kind === 'on_request') {
    cells.set('price_on_request', '1');
    return;
  }
  const wrong: Partial<Record<typeof kind, Broken>> = {
    from: broken('priceFrom'),
    several: broken('priceSeveral'),
  };
  const told = wrong[kind];
  if (told) errors[target] = [told];
  cells.set(target, text);
  if (target !== 'price' || kind !== 'number') return;
  if (unit) cells.set('price_unit', unit);
  // A dish with a price is none that guests ask for.
  if (Number(text) > 0 && !cells.has('price_on_request')) cells.set('price_on_request', '0');
}

/** A text as the field of its column has it. */
function textOf(target: string, cell: Cell, { isOwn }: TablePlan, reading: Reading): string {
  const kind = kinds.get(target);
  if (kind === 'integer' && !isOwn) return readWhole(energyIn(String(cell)) ?? cell);
  const text = String(/^size_name/.test(target) ? written(cell, reading.locale) : cell);
  if (isOwn) return oneLine.has(target) ? sameLine(text) : text;
  if (kind === 'instant') return momentOf(text, target === 'visible_until', reading.timezone);
  const plain =
    kind === undefined || kind === 'text' || translated.has(target) ? plainText(text) : text;
  return oneLine.has(target) || kind === undefined ? sameLine(plain) : plain;
}

/** Columns that say by yes or no whether a dish is sold, with the answer that says it is. */
const SOLD: Readonly<Record<string, boolean>> = { is_active: true, is_hidden: false };
const STOCK: Readonly<Record<string, boolean>> = { in_stock: true, is_sold_out: false };

/** Takes a yes or no into the field that it speaks of; several columns must all let a dish be sold. */
function readSold(cells: Map<string, string>, target: string, text: string): boolean {
  const isStock = target in STOCK;
  const good = SOLD[target] ?? STOCK[target];
  if (good === undefined) return false;
  const [yes, no] = isStock ? ['', 'indefinitely'] : ['1', '0'];
  const field = isStock ? 'sold_out_until' : 'is_active';
  const isSettled = cells.has(field) && cells.get(field) !== yes;
  if (text === '' || isSettled) return true;
  const flag = readFlag(text);
  cells.set(field, typeof flag === 'string' ? flag : flag === good ? yes : no);
  return true;
}

/** Gives texts without a language that of their row. */
function inLanguage({ cells }: Entries, from: Locale, to: Locale): void {
  if (from === to) return;
  for (const [target, text] of [...cells]) {
    if (!translated.has(target) || !target.endsWith(`_${from}`)) continue;
    cells.delete(target);
    cells.set(target.replace(/_[^_]*$/, `_${to}`), text);
  }
}

/** Reads the cells of a row by the meaning of their columns. */
export function rowEntries(line: Line, plan: TablePlan, reading: Reading): Entries {
  const { columns, allergens, codes, isOwn } = plan;
  const entries: Entries = {
    ...{ line, cells: new Map(), places: new Map(), sizes: [], priceLabel: '', sizeLabel: '' },
    ...{ labels: new Map(), language: null, errors: {} },
  };
  const { cells, errors, places } = entries;
  for (const [at, { header, target }] of columns.entries()) {
    // A short row says nothing of the columns that it lacks.
    if (target === NO_TARGET || at >= line.cells.length || allergens?.at.has(at)) continue;
    const cell = bareCell(line.cells[at]);
    places.set(target === 'size' ? `size ${entries.sizes.length}` : target, {
      ...{ at, header, value: String(cell).slice(0, 100) },
    });
    if (isFailed(cell)) {
      errors[target] = [broken('cellFailed', { value: String(cell) })];
      continue;
    }
    if (target === 'price') entries.priceLabel = header;
    const label = LABEL_COLUMNS.get(target);
    if (label !== undefined) {
      const flag = readFlag(String(cell));
      if (typeof flag === 'string' && flag !== '') errors[target] = [broken('boolean')];
      else if (flag !== '') entries.labels.set(label, flag === true);
    } else if (target === 'size') {
      const { kind, text } = readAmount(cell, plan.sign);
      if (kind === 'from' || kind === 'several')
        errors.size = [broken(kind === 'from' ? 'priceFrom' : 'priceSeveral')];
      if (text !== '') entries.sizes.push({ label: header, price: text });
    } else if (isPrice(target)) readPrice(entries, target, cell, plan);
    else if (isOwn || !readSold(cells, target, String(cell))) {
      cells.set(target, textOf(target, cell, plan, reading));
    }
  }
  decodeCells(codes, cells);
  const names = ['size_name', 'size_name_2', 'size_name_3'].map((name) => cells.get(name) ?? '');
  entries.sizeLabel = names.filter(Boolean).join(' / ');
  const language = cells.get('language') ?? '';
  if (language !== '') {
    entries.language = languageNamed(language) ?? null;
    if (entries.language) inLanguage(entries, reading.locale, entries.language);
    else errors.language = [broken('invalid')];
  }
  return entries;
}
